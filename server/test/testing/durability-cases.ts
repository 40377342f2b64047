/** Every call that moves money, repeatable with its idempotency key, and readers that check its effect. */

import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { approveOrder, askApproval } from '@waybill/contract/orders/approvals'
import { getBilling, payCorporate, putConsent, recordReceipt } from '@waybill/contract/orders/monthly-billing'
import { getInvoice, getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { cancelOrder, cancelParcels } from '@waybill/contract/orders/refunds'
import { getParcelActions, recallParcel, returnParcel } from '@waybill/contract/parcels/allowed-actions'
import { getDeliveryChoice, makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { generateNotes } from '@waybill/contract/parcels/labels'
import { billOutstanding, payInStore, payOutstanding } from '@waybill/contract/parcels/outstanding'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { listCashMovements, listDrawers, moveCash, openDrawer, takeCash } from '@waybill/contract/payments/cash-desk'
import { handInCash } from '@waybill/contract/payments/cash-hand-ins'
import { listCod } from '@waybill/contract/payments/cod'
import { payOutCod } from '@waybill/contract/payments/cod-payouts'
import { payWithCredits } from '@waybill/contract/payments/payments'
import { getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import { recordWithdrawal } from '@waybill/contract/wallet/withdrawals'
import { sql } from 'kysely'
import { minutes } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import type { TestApp } from './app.ts'
import { walkInCase } from './durability-walk-in.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from './factories/accounts.ts'
import { findCounter, handedOver, scanned, undelivered } from './factories/handed-over.ts'
import { payAtGateway, payCredits, placeOrder } from './factories/orders.ts'
import { createParcel } from './factories/parcels.ts'
import { fundWallet, setWalletPin, testPin } from './factories/wallet.ts'
import type { BankPeer } from './peers/bank.ts'

export type DurabilityCase = {
  name: string
  /** Sends the call with the same key each time. Returns `done`, or the reason why it was not acknowledged. */
  send(): Promise<string>
  /** Each one checks separately whether the effect of the call is visible. */
  readers: (() => Promise<boolean>)[]
}

type World = { test: TestApp; bank: BankPeer; customer: TestCustomer; counter: TestStaff; finance: TestStaff }
type CallInput = { token: string; params?: Record<string, string>; body?: unknown }

function caller({ test }: World) {
  /** Calls an endpoint and returns the body, or undefined for any status but 200. */
  const getBody = async (endpoint: EndpointShape, input: CallInput & { query?: Record<string, unknown> }) => {
    const answer = await test.call(endpoint, input as never)
    return answer.status === 200 ? (answer.body as Record<string, unknown>) : undefined
  }
  const once = (endpoint: EndpointShape, input: CallInput) => {
    const headers = { 'idempotency-key': newId() }
    return async () => {
      const answer = await test.call(endpoint, { ...input, headers } as never)
      return answer.status === 200 ? 'done' : JSON.stringify(answer.error)
    }
  }
  return { getBody, once }
}

const more = (value: unknown) => typeof value === 'number' && value > 0

/** Readers of an order: it is paid, it has an invoice, and its parcels have numbers for their notes. */
function orderReaders(world: World, order: OrderDetail, { token }: TestCustomer): (() => Promise<boolean>)[] {
  const { getBody } = caller(world)
  const params = { id: order.id }
  const parcelIds = order.parcels.map(({ id }) => id)
  return [
    async () => more((await getBody(getOrder, { token, params }))?.paidMinor),
    async () => (await getBody(getInvoice, { token, params })) !== undefined,
    async () => {
      const parcel = await getBody(getParcel, { token, params: { id: parcelIds[0] ?? '' } })
      return typeof parcel?.trackingNumber === 'string'
    },
    async () => {
      const note = await world.test.call(generateNotes, { token, query: { ids: parcelIds.join(',') } as never })
      return note.status === 200
    },
  ]
}

async function customerCases(world: World): Promise<DurabilityCase[]> {
  const { test, bank, customer, counter } = world
  const { getBody, once } = caller(world)
  const { token } = customer
  const parcelStatus = (id: string) => async () =>
    (await getBody(getParcel, { token, params: { id } }))?.status as string | undefined
  const has = (status: () => Promise<string | undefined>, expected: string) => async () => (await status()) === expected
  const readRefund = (id: string) => async () =>
    more((await getBody(getOrder, { token, params: { id } }))?.refundedMinor)
  const bodyFor = ({ totalMinor }: OrderDetail) => ({ pin: testPin, expectedTotalMinor: totalMinor })

  const credits = await placeOrder(test, customer, { count: 2 })
  const store = await placeOrder(test, customer)
  const due = await placeOrder(test, customer)
  await test.call(payInStore, { token, params: { id: due.id }, body: { expectedTotalMinor: due.totalMinor } })
  const cancelled = await placeOrder(test, customer)
  await payCredits(test, customer, cancelled)
  const some = await placeOrder(test, customer, { count: 2 })
  await payCredits(test, customer, some)
  const [dropped = ''] = some.parcels.map(({ id }) => id)
  const gateway = await placeOrder(test, customer)
  const form = await payAtGateway(test, customer, gateway)
  const failed = await undelivered(test, customer, counter)
  const choice = await getBody(getDeliveryChoice, { token, params: { id: failed.id } })
  const options = choice?.options as { kind: string; feeMinor: number }[]
  const feeMinor = options.find(({ kind }) => kind === 'recall')?.feeMinor ?? 0
  const light = await handedOver(test, customer, counter)
  const weigh = { weightGrams: 300, dimensions: { lengthMm: 100, widthMm: 100, heightMm: 50 } }

  const parcelAction = async (action: 'recall' | 'return', status: 'outbound' | 'completed', becomes: string) => {
    const parcel = await createParcel(test, customer, { status, last_event_at: test.clock.now() })
    const params = { id: parcel.id }
    const { version, ...actions } = (await test.call(getParcelActions, { token, params })).body
    const body = { version, expectedFeeMinor: actions[action].fee.totalMinor, pin: testPin }
    const send = once(action === 'recall' ? recallParcel : returnParcel, { token, params, body })
    return { name: action, send, readers: [has(parcelStatus(parcel.id), becomes)] }
  }
  return [
    {
      name: 'credits',
      send: once(payWithCredits, { token, params: { id: credits.id }, body: bodyFor(credits) }),
      readers: orderReaders(world, credits, customer),
    },
    {
      name: 'gateway',
      send: async () => {
        const { body } = await bank.pay(test, form.fields)
        return body === 'RECEIVEOK' ? 'done' : body
      },
      readers: orderReaders(world, gateway, customer).slice(0, 3),
    },
    {
      name: 'in store',
      send: once(payInStore, { token, params: { id: store.id }, body: { expectedTotalMinor: store.totalMinor } }),
      readers: [async () => (await getBody(getOrder, { token, params: { id: store.id } }))?.status === 'outstanding'],
    },
    {
      name: 'outstanding',
      send: once(payOutstanding, {
        token,
        body: { parcelIds: due.parcels.map(({ id }) => id), totalSeenMinor: due.totalMinor, pin: testPin },
      }),
      readers: orderReaders(world, due, customer).slice(0, 2),
    },
    {
      name: 'cancelled order',
      send: once(cancelOrder, { token, params: { id: cancelled.id }, body: { reason: null } }),
      readers: [readRefund(cancelled.id), has(parcelStatus(cancelled.parcels[0]?.id ?? ''), 'refunded')],
    },
    {
      name: 'cancelled parcel',
      send: once(cancelParcels, { token, body: { ids: [dropped], reason: null } }),
      readers: [readRefund(some.id), has(parcelStatus(dropped), 'refunded')],
    },
    {
      name: 'delivery choice',
      send: once(makeDeliveryChoice, {
        token,
        params: { id: failed.id },
        body: { kind: 'recall', expectedFeeMinor: feeMinor, pin: testPin },
      }),
      readers: [has(parcelStatus(failed.id), 'recall')],
    },
    {
      name: 'lighter parcel',
      send: once(reweighParcel, { token: counter.token, params: { id: light.id }, body: weigh }),
      readers: [readRefund(light.orderId)],
    },
    await parcelAction('recall', 'outbound', 'recall'),
    await parcelAction('return', 'completed', 'reverse_pickup'),
  ]
}

/**
 * The owner of a company with monthly billing. The token is issued a minute after the conditions were set: after a lost
 * connection, older tokens are void, and clients refresh them.
 */
async function company(test: TestApp): Promise<TestCustomer> {
  const founder = await createCustomer(test, { userType: 'corporate' })
  await sql`update accounts set credit_limit_minor = 1000000, approval_above_minor = 100
    where id = ${founder.accountId}::uuid`.execute(test.deps.db)
  await test.call(putConsent, { token: founder.token, body: { version: '2026-01', accept: true } })
  test.clock.advance(minutes(1))
  return createCustomer(test, { userType: 'corporate', accountId: founder.accountId })
}

async function companyCases(world: World): Promise<DurabilityCase[]> {
  const { test, counter, finance } = world
  const { getBody, once } = caller(world)
  const owner = await company(test)
  const of = { userType: 'corporate' as const, accountId: owner.accountId, isOwner: false }
  const clerk = await createCustomer(test, { ...of, permissions: ['parcels.create', 'pay'] })
  const { token } = owner
  const [paid, billed, waiting] = [
    await placeOrder(test, owner),
    await placeOrder(test, owner),
    await placeOrder(test, clerk),
  ]
  const bodyFor = ({ totalMinor }: OrderDetail) => ({ expectedTotalMinor: totalMinor })
  await test.call(payCorporate, { token, params: { id: paid.id }, body: bodyFor(paid) })
  const request = await test.call(askApproval, { token: clerk.token, body: { orderId: waiting.id, note: null } })
  const other = await company(test)
  const owing = await placeOrder(test, other)
  await test.call(payCorporate, { token: other.token, params: { id: owing.id }, body: bodyFor(owing) })
  await fundWallet(test, owner, 100_000)
  await setWalletPin(test, owner)
  const heavy = await handedOver(test, owner, counter)
  const reading = { token: counter.token, params: { id: heavy.id }, body: { weightGrams: 5200 } }
  const { dueMinor } = (await test.call(reweighParcel, reading)).body
  const receivedOn = test.clock.now().toISOString().slice(0, 10)
  const withdraws = await createCustomer(test)
  await fundWallet(test, withdraws, 30)
  return [
    {
      name: 'monthly billing',
      send: once(payCorporate, { token, params: { id: billed.id }, body: bodyFor(billed) }),
      readers: orderReaders(world, billed, owner),
    },
    {
      name: 'billed difference',
      send: once(billOutstanding, { token, body: { parcelIds: [heavy.id], totalSeenMinor: dueMinor } }),
      readers: [async () => (await getBody(getParcel, { token, params: { id: heavy.id } }))?.status === 'inbound'],
    },
    {
      name: 'approval',
      send: once(approveOrder, { token, params: { id: request.body.id }, body: bodyFor(waiting) }),
      readers: orderReaders(world, waiting, owner),
    },
    {
      name: 'bank transfer',
      send: once(recordReceipt, {
        token: finance.token,
        params: { id: other.accountId },
        body: { amountMinor: owing.totalMinor, reference: `TT ${other.accountId}`.slice(0, 60), receivedOn },
      }),
      readers: [async () => (await getBody(getBilling, { token: other.token }))?.usedMinor === 0],
    },
    {
      name: 'withdrawal',
      send: once(recordWithdrawal, {
        token: finance.token,
        params: { id: withdraws.accountId },
        body: { source: 'wallet', amountMinor: 30, reference: `IBG ${withdraws.accountId}` },
      }),
      readers: [
        async () => (await getBody(getWallet, { token: withdraws.token }))?.balanceMinor === 0,
        async () =>
          more((await getBody(walletHistory, { token: withdraws.token, query: { kind: 'withdrawal' } }))?.total),
      ],
    },
  ]
}

async function counterCases(world: World): Promise<DurabilityCase[]> {
  const { test, customer, counter, finance } = world
  const { getBody, once } = caller(world)
  const { token } = counter
  const now = async () => (await test.call(listDrawers, { token })).body
  const { drawers, station } = await now()
  const body = { drawerNumber: 1, floatMinor: drawers[0]?.carriedMinor ?? 0, currency: 'MYR' }
  if (!drawers[0]?.open) await test.call(openDrawer, { token, body })
  const params = { id: (await now()).drawers[0]?.open?.id ?? '' }
  const movements = async () => {
    const list = await getBody(listCashMovements, { token, params, query: { limit: 200 } })
    return (list?.items ?? []) as { kind: string; reason: string | null; reference: string | null }[]
  }
  const due = await placeOrder(test, customer)
  const toPay = { expectedTotalMinor: due.totalMinor }
  await test.call(payInStore, { token: customer.token, params: { id: due.id }, body: toPay })
  const reason = `change ${newId()}`
  const collectCash = async () => {
    const sender = await createCustomer(test)
    const rider = await createStaff(test, { stationId: station.id })
    const cod = { collection_mode: 'cod' as const, cod_amount_minor: 3000 }
    const parcel = await createParcel(test, sender, { status: 'inbound', delivery_mode: 'D2D', ...cod })
    const number = parcel.tracking_number ?? ''
    await scanned(test, rider, number, 'out_for_delivery', { stationId: station.id })
    const proof = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40', codCollectedMinor: 3000 }
    await scanned(test, rider, number, 'delivered', proof)
    await test.deps.outbox.drain()
    return { sender, rider }
  }
  const [handedIn, outstanding] = [await collectCash(), await collectCash()]
  return [
    {
      name: 'cash sale',
      send: once(takeCash, {
        token,
        body: {
          drawerNumber: 1,
          code: due.number,
          totalSeenMinor: due.totalMinor,
          givenMinor: 100_000,
          currency: 'MYR',
        },
      }),
      readers: orderReaders(world, due, customer).slice(0, 2),
    },
    await walkInCase(test, { token, stationId: station.id, movements, otherOrder: due.number }),
    {
      name: 'cash into the drawer',
      send: once(moveCash, {
        token,
        body: { drawerNumber: 1, kind: 'cash_in', amountMinor: 500, currency: 'MYR', reason },
      }),
      readers: [async () => (await movements()).some((move) => move.reason === reason)],
    },
    {
      name: "a rider's money",
      send: once(handInCash, {
        token,
        body: {
          drawerNumber: 1,
          riderId: handedIn.rider.userId,
          expectedMinor: 3000,
          counted: { sumMinor: 2900 },
          currency: 'MYR',
          reason: 'One note was false',
        },
      }),
      readers: [
        async () => {
          const holders = (await getBody(listDrawers, { token }))?.holders as { userId: string }[] | undefined
          return holders !== undefined && !holders.some(({ userId }) => userId === handedIn.rider.userId)
        },
      ],
    },
    {
      name: "a sender's money",
      send: once(payOutCod, {
        token: finance.token,
        body: { accountIds: [outstanding.sender.accountId], totalSeenMinor: 3000, feesSeenMinor: 0 },
      }),
      readers: [
        async () => more((await getBody(listCod, { token: outstanding.sender.token }))?.paidOutMinor),
        async () => more((await getBody(getWallet, { token: outstanding.sender.token }))?.balanceMinor),
      ],
    },
  ]
}

/** One case for each call, each with separate records to change. */
export async function durabilityCases(test: TestApp, bank: BankPeer): Promise<DurabilityCase[]> {
  const customer = await createCustomer(test)
  await fundWallet(test, customer, 1_000_000)
  await setWalletPin(test, customer)
  const { counter } = await findCounter(test)
  const world = { test, bank, customer, counter, finance: await createStaff(test, { role: 'account_manager' }) }
  return [...(await customerCases(world)), ...(await companyCases(world)), ...(await counterCases(world))]
}
