import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { cancelParcels } from '@waybill/contract/orders/refunds'
import { listOutstanding, payInStore, payOutstanding, printPaymentSlip } from '@waybill/contract/parcels/outstanding'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { roundToCash } from '@waybill/contract/payments/coins'
import { getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { lockOutstanding, settleOutstanding } from '../../../src/domains/payments/outstanding/settle-outstanding.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payAtGateway, placeOrder } from '../../testing/factories/orders.ts'
import { expectSoundBooks, fundWallet, setWalletPin, sumBooks, testPin } from '../../testing/factories/wallet.ts'
import { openPaper } from '../../testing/paper.ts'

describe('outstanding amounts', () => {
  let test: TestApp
  let owner: TestCustomer
  let other: TestCustomer
  let counter: TestStaff
  let here: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    ;({ counter, here } = await findCounter(test))
  })
  const newOwner = async (fundMinor = 200_000) => {
    owner = await createCustomer(test, { userType: 'corporate' })
    other = await createCustomer(test)
    await fundWallet(test, owner, fundMinor)
    await setWalletPin(test, owner)
  }
  const inStore = (order: OrderDetail, token = owner.token, expectedTotalMinor = order.totalMinor) =>
    test.call(payInStore, { token, params: { id: order.id }, body: { expectedTotalMinor } })
  const placeStoreOrder = async (count = 1) => {
    const order = await placeOrder(test, owner, { count })
    const answer = await inStore(order)
    expect(answer.status).toBe(200)
    return order
  }
  const createHeavyParcel = async () => {
    const parcel = await handedOver(test, owner, counter)
    const answer = await test.call(reweighParcel, {
      token: counter.token,
      params: { id: parcel.id },
      body: { weightGrams: 6000, confirmed: true },
    })
    return { ...parcel, due: answer.body.dueMinor }
  }
  const pay = (
    parcelIds: string[],
    totalSeenMinor: number,
    overrides: { token?: string; key?: string; pin?: string } = {},
  ) =>
    test.call(payOutstanding, {
      token: overrides.token ?? owner.token,
      body: { parcelIds, totalSeenMinor, pin: overrides.pin ?? testPin },
      headers: overrides.key ? { 'idempotency-key': overrides.key } : {},
    })
  const listed = async () => (await test.call(listOutstanding, { token: owner.token })).body
  const balance = async () => (await test.call(getWallet, { token: owner.token })).body.balanceMinor
  const orderNow = async (id: string) => (await test.call(getOrder, { token: owner.token, params: { id } })).body

  it('keep the parcels of a pay-in-store order waiting, with numbers and a slip, without expiry', async () => {
    await newOwner()
    const order = await placeStoreOrder(2)
    const now = await orderNow(order.id)
    expect(now).toMatchObject({ status: 'outstanding', paymentMethod: 'store', paidMinor: 0, expiresAt: null })
    expect(now.parcels.map(({ status }) => status)).toEqual(['outstanding', 'outstanding'])
    expect(now.parcels.reduce((sum, { amountDueMinor }) => sum + amountDueMinor, 0)).toBe(order.totalMinor)
    expect(now.parcels.every(({ trackingNumber }) => trackingNumber !== null)).toBe(true)
    expect(now.parcels[0]?.trackingStatus).toBe('pending')
    const slip = await test.call(printPaymentSlip, { token: owner.token, params: { id: order.id } })
    expect([slip.status, slip.raw.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    // The amount at the counter, rounded to the smallest coin.
    const cashMinor = roundToCash(order.totalMinor, 'MYR')
    expect(cashMinor).not.toBe(order.totalMinor)
    const text = (await openPaper(slip.raw)).pages[0]?.text.replaceAll('\u00a0', ' ')
    expect(text).toContain(`in cash RM ${(cashMinor / 100).toFixed(2)}`)
    expect((await test.call(printPaymentSlip, { token: other.token, params: { id: order.id } })).status).toBe(404)
    const list = await listed()
    expect(list).toMatchObject({ total: 2, totalDueMinor: order.totalMinor, currency: 'MYR' })
    expect(list.items[0]).toMatchObject({ kind: 'store', orderNumber: order.number, weighingState: null })
    expect((await test.call(listOutstanding, { token: other.token })).body.total).toBe(0)
    const again = await inStore(order)
    expect([again.status, again.error.code]).toEqual([409, 'order_closed'])
  })

  it('allow payment in store only for drop-off parcels of the caller at the total that the user saw', async () => {
    await newOwner()
    const fetched = await placeOrder(test, owner, { mode: 'D2D' })
    const refusal = await inStore(fetched)
    expect([refusal.status, refusal.error.code]).toEqual([422, 'payment_method_closed'])
    const order = await placeOrder(test, owner)
    expect((await inStore(order, other.token)).status).toBe(404)
    const stale = await inStore(order, owner.token, order.totalMinor + 1)
    expect([stale.status, stale.error.code]).toEqual([409, 'price_changed'])
    await payAtGateway(test, owner, order)
    const rejection = await inStore(order)
    expect([rejection.status, rejection.error.code]).toEqual([409, 'checkout_running'])
  })

  it('are paid together: an entry and an invoice per order, and each parcel continues from its status', async () => {
    await newOwner()
    const store = await placeStoreOrder(2)
    const reweighed = await createHeavyParcel()
    const list = await listed()
    expect(list.totalDueMinor).toBe(store.totalMinor + reweighed.due)
    const start = await balance()
    const before = test.clock.now()
    const answer = await pay(
      list.items.map(({ parcelId }) => parcelId),
      list.totalDueMinor,
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      status: 'succeeded',
      method: 'express_credit',
      amountMinor: list.totalDueMinor,
    })
    expect(await balance()).toBe(start - list.totalDueMinor)
    expect((await listed()).total).toBe(0)
    const paidOrder = await orderNow(store.id)
    expect(paidOrder).toMatchObject({ status: 'pending', paidMinor: store.totalMinor })
    expect(paidOrder.invoiceNumber).toMatch(/^INV-/)
    expect(paidOrder.parcels.map(({ status }) => status)).toEqual(['pending_dropoff', 'pending_dropoff'])
    const parcel = await parcelNow(test, owner, reweighed.id)
    expect(parcel).toMatchObject({ status: 'inbound', amountDueMinor: 0 })
    expect(parcel.events[0]?.event).toBe('difference_paid')
    const movements = (await test.call(walletHistory, { token: owner.token, query: { limit: 2 } })).body.items
    expect(movements).toMatchObject([
      { kind: 'outstanding', amountMinor: -reweighed.due, reference: expect.stringMatching(/^ORD-/) },
      { kind: 'outstanding', amountMinor: -store.totalMinor, reference: store.number, orderId: store.id },
    ])
    const { rows } = await sql<{ total: number }>`
      select coalesce(sum(total_minor), 0)::bigint as total from invoices where account_id = ${owner.accountId}::uuid
        and issued_at >= ${before}::timestamptz`.execute(test.deps.db)
    expect(rows[0]?.total).toBe(list.totalDueMinor)
    await expectSoundBooks(test)
    await scanned(test, counter, paidOrder.parcels[0]?.trackingNumber ?? '', 'accepted')
  })

  it('are paid once for a repeated key; without a key, a paid amount is not due again', async () => {
    await newOwner()
    const { id, due } = await createHeavyParcel()
    const key = 'outstanding-once-1'
    const start = await balance()
    const [first, second] = await Promise.all([pay([id], due, { key }), pay([id], due, { key })])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.id).toBe(first.body.id)
    expect(await balance()).toBe(start - due)
    const again = await pay([id], due)
    expect([again.status, again.error.code]).toEqual([409, 'nothing_due'])
    const otherBody = await pay([id], due + 1, { key })
    expect([otherBody.status, otherBody.error.code]).toEqual([409, 'idempotency_conflict'])
  })

  it("stay unchanged for a stale total, others' parcels, a wrong PIN, half an order or an empty wallet", async () => {
    await newOwner(3000)
    const order = await placeStoreOrder(2)
    const ids = order.parcels.map(({ id }) => id)
    const stale = await pay(ids, order.totalMinor - 1)
    expect([stale.status, stale.error.code]).toEqual([409, 'price_changed'])
    expect(stale.error.details).toMatchObject({ totalMinor: order.totalMinor })
    await setWalletPin(test, other)
    expect((await pay(ids, order.totalMinor, { token: other.token })).status).toBe(404)
    const wrong = await pay(ids, order.totalMinor, { pin: '111222' })
    expect([wrong.status, wrong.error.code]).toEqual([422, 'pin_wrong'])
    const due = (await listed()).items.find(({ parcelId }) => parcelId === ids[0])?.amountDueMinor ?? 0
    const half = await pay(ids.slice(0, 1), due)
    expect([half.status, half.error.code]).toEqual([422, 'order_not_whole'])
    expect(half.error.details).toMatchObject({ parcelIds: [ids[1]] })
    await placeStoreOrder(1)
    await placeStoreOrder(1)
    const all = await listed()
    const poorAnswer = await pay(
      all.items.map(({ parcelId }) => parcelId),
      all.totalDueMinor,
    )
    expect([poorAnswer.status, poorAnswer.error.code]).toEqual([422, 'wallet_too_low'])
    expect(await listed()).toEqual(all)
    expect((await pay([], 100)).status).toBe(422)
    expect((await pay(ids, -5)).status).toBe(422)
    const member = await createCustomer(test, { accountId: owner.accountId, isOwner: false, userType: 'corporate' })
    expect((await pay(ids, order.totalMinor, { token: member.token })).status).toBe(403)
  })

  it('do not include a parcel that was cancelled in the meantime, nor does the total of its order', async () => {
    await newOwner()
    const order = await placeStoreOrder(2)
    const [first, second] = order.parcels.map(({ id }) => id) as [string, string]
    const cancelled = await test.call(cancelParcels, { token: owner.token, body: { ids: [first] } })
    expect(cancelled.status).toBe(200)
    const { totalDueMinor } = await listed()
    expect(totalDueMinor).toBeLessThan(order.totalMinor)
    expect(await orderNow(order.id)).toMatchObject({
      status: 'outstanding',
      totalMinor: totalDueMinor,
      parcelCount: 1,
      paidMinor: 0,
    })
    expect((await pay([second], totalDueMinor)).status).toBe(200)
    expect(await orderNow(order.id)).toMatchObject({
      status: 'pending',
      totalMinor: totalDueMinor,
      paidMinor: totalDueMinor,
    })
  })

  it("are paid at a counter by the same service, from the station's drawer", async () => {
    await newOwner()
    const order = await placeStoreOrder(1)
    const staff = await createStaff(test, { stationId: here })
    const start = await balance()
    await tx(test.deps.db, async (trx) => {
      const locked = await lockOutstanding(
        trx,
        owner.accountId,
        order.parcels.map(({ id }) => id),
      )
      await settleOutstanding(test.deps, trx, owner.accountId, locked, {
        method: 'store',
        from: { book: 'station_cash', stationId: here },
        actorId: staff.userId,
        log: null,
        stationId: here,
      })
    })
    expect(await balance()).toBe(start)
    const paidOrder = await orderNow(order.id)
    expect(paidOrder).toMatchObject({ status: 'pending', paymentMethod: 'store', paidMinor: order.totalMinor })
    expect(paidOrder.parcels[0]?.status).toBe('pending_dropoff')
    expect(await sumBooks(test)).toMatchObject({ total: 0, unbalanced: 0 })
  })
})
