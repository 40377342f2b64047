import type { BodyIn } from '@waybill/contract/ground/endpoint'
import type { DeliveryMode } from '@waybill/contract/ground/enums'
import { createOrder, getInvoice, type OrderDetail } from '@waybill/contract/orders/orders'
import { cancelOrder, cancelParcels, listCreditNotes, previewCancel } from '@waybill/contract/orders/refunds'
import { getParcel, type Parcel, updateParcel } from '@waybill/contract/parcels/parcels'
import { scan } from '@waybill/contract/parcels/scanning'
import { getPayment } from '@waybill/contract/payments/payments'
import { listPickupRequests } from '@waybill/contract/pickups/pickups'
import { getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../../../src/jobs/tasks.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import {
  createCustomer,
  createMember,
  createStaff,
  type TestCustomer,
  type TestStaff,
} from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { latestMail } from '../../testing/factories/newcomers.ts'
import { fillCart, orderNow, payAtGateway, payCredits, placeOrder, quoteTotal } from '../../testing/factories/orders.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { createPayer, expectSoundBooks } from '../../testing/factories/wallet.ts'
import { queueBehind } from '../../testing/lock-queue.ts'
import { type BankPeer, startBankPeer } from '../../testing/peers/bank.ts'
import { withoutPickup } from '../../testing/without-pickup.ts'

type Wanted = Omit<BodyIn<typeof cancelParcels>, 'ids'>

describe('cancelling before hand-over', () => {
  let bank: BankPeer
  let test: TestApp
  let rider: TestStaff
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
    const station = await test.deps.db.selectFrom('stations').select('id').orderBy('code').executeTakeFirstOrThrow()
    rider = await createStaff(test, { stationId: station.id })
  })

  const funds = 100_000
  const rich = async () => {
    const customer = await createPayer(test, { creditsMinor: funds })
    return customer
  }
  const paidOrder = async (count: number, mode: DeliveryMode = 'P2D') => {
    const customer = await rich()
    const order = await placeOrder(test, customer, { count, mode })
    expect((await payCredits(test, customer, order)).status).toBe(200)
    return { customer, order, ids: order.parcels.map(({ id }) => id) }
  }
  const cancel = ({ token }: TestCustomer, ids: string[], wanted: Wanted = {}, key?: string) =>
    test.call(cancelParcels, {
      token,
      body: { ids, ...wanted },
      ...(key ? { headers: { 'idempotency-key': key } } : {}),
    })
  const preview = ({ token }: TestCustomer, ids: string[]) => test.call(previewCancel, { token, body: { ids } })
  const balance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor
  const getStatus = async ({ token }: TestCustomer, id: string) =>
    (await test.call(getParcel, { token, params: { id } })).body.status
  const notes = async ({ token }: TestCustomer, { id }: OrderDetail) =>
    (await test.call(listCreditNotes, { token, params: { id } })).body.items
  const pickUp = async (customer: TestCustomer, id: string, event: 'picked_up' | 'accepted') => {
    const { trackingNumber } = (await test.call(getParcel, { token: customer.token, params: { id } })).body
    const answer = await test.call(scan, {
      token: rider.token,
      body: { trackingNumber: trackingNumber ?? '', event },
    })
    expect(answer.status).toBe(200)
  }
  const sound = async () => {
    await expectSoundBooks(test)
    const { rows } = await sql<{ wrong: number }>`
      select count(*) as wrong from orders o
        where refunded_minor <> (select coalesce(sum(amount_minor), 0) from refunds r where r.order_id = o.id)
        or refunded_minor > paid_minor`.execute(test.deps.db)
    expect(rows[0]?.wrong).toBe(0)
  }

  it('gives the credits of a paid order back at once, with a credit note and a line in the wallet', async () => {
    const { customer, order, ids } = await paidOrder(2)
    expect((await preview(customer, ids)).body).toMatchObject({ refundMinor: order.totalMinor, cardMinor: 0 })
    const answer = await test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} })
    expect(answer.status).toBe(200)
    expect(answer.body.refunds).toMatchObject([
      { orderId: order.id, destination: 'wallet', status: 'done', amountMinor: order.totalMinor },
    ])
    expect(answer.body.items.map(({ status }) => status)).toEqual(['refunded', 'refunded'])
    expect(answer.body.items.every(({ allowedActions }) => !allowedActions.includes('cancel'))).toBe(true)
    expect(await balance(customer)).toBe(funds)
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'refunded', paidMinor: order.totalMinor })
    const [movement] = (await test.call(walletHistory, { token: customer.token, query: {} })).body.items
    expect(movement).toMatchObject({ kind: 'refund', amountMinor: order.totalMinor, reference: order.number })
    const [note, ...others] = await notes(customer, order)
    expect(others).toEqual([])
    expect(note).toMatchObject({ totalMinor: order.totalMinor, destination: 'wallet', status: 'done', parcelCount: 2 })
    expect(note?.number).toMatch(/^CN-\d{4}-\d{6}$/)
    const events = (await test.call(getParcel, { token: customer.token, params: { id: ids[0] as string } })).body.events
    expect(
      events
        .map(({ event }) => event)
        .slice(0, 2)
        .sort(),
    ).toEqual(['cancelled', 'refunded'])
    await sound()
  })

  it('mails what was cancelled and where the money is, in the language of whoever did it', async () => {
    const customer = await createPayer(test, {
      language: 'cn_zh',
      email: 'cancels.in.chinese@example.test',
      creditsMinor: funds,
    })
    const order = await placeOrder(test, customer)
    await payCredits(test, customer, order)
    await cancel(customer, [order.parcels[0]?.id as string])
    await test.settle()
    const mail = await latestMail(test, customer.email)
    expect(mail.subject).toContain('已退至您的钱包')
    expect(mail.text).toContain(order.number)
    expect(mail.text).toContain(`http://portal.test/orders/${order.id}`)
  })

  it('gives back exactly the share of each parcel, and the pickup with the last of them', async () => {
    const { customer, order, ids } = await paidOrder(3, 'D2D')
    const [first, second, third] = order.parcels as [
      (typeof order.parcels)[0],
      (typeof order.parcels)[0],
      (typeof order.parcels)[0],
    ]
    const own = order.totalMinor - order.parcels.reduce((sum, parcel) => sum + withoutPickup(parcel), 0)
    expect(own).toBeGreaterThan(0)
    const one = await cancel(customer, [first.id])
    expect(one.body.refunds[0]?.amountMinor).toBe(withoutPickup(first))
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'pending' })
    const pickup = async () => (await test.call(listPickupRequests, { token: customer.token, query: {} })).body.items[0]
    expect(await pickup()).toMatchObject({ parcelCount: 2, status: 'new' })
    expect((await preview(customer, [second.id, third.id])).body).toMatchObject({ pickupMinor: own })
    const rest = await cancel(customer, [second.id, third.id])
    expect(rest.body.refunds[0]?.amountMinor).toBe(withoutPickup(second) + withoutPickup(third) + own)
    expect(await balance(customer)).toBe(funds)
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'refunded' })
    const cancelled = await test.deps.db
      .selectFrom('pickup_requests')
      .select(['parcel_count', 'cancelled_at'])
      .where('order_id', '=', order.id)
      .executeTakeFirst()
    expect(cancelled).toMatchObject({ parcel_count: 0, cancelled_at: expect.any(Date) })
    expect((await notes(customer, order)).length).toBe(2)
    expect(ids.length).toBe(3)
    await sound()
  })

  it('keeps the pickup fee once the rider has taken one of them', async () => {
    const { customer, order, ids } = await paidOrder(2, 'D2D')
    await pickUp(customer, ids[0] as string, 'picked_up')
    const answer = await cancel(customer, [ids[1] as string])
    expect(answer.body.refunds[0]?.amountMinor).toBe(withoutPickup(order.parcels[1] as Parcel))
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'pending' })
  })

  it('says why what is handed over can not be cancelled, and cancels none of the others with it', async () => {
    const { customer, ids } = await paidOrder(2)
    await pickUp(customer, ids[0] as string, 'accepted')
    const answer = await cancel(customer, ids)
    expect(answer).toMatchObject({
      status: 409,
      error: { code: 'cancel_after_hand_over', details: { status: 'inbound' } },
    })
    expect(answer.error.message).toContain('At a station')
    expect((await preview(customer, ids)).status).toBe(409)
    expect(await getStatus(customer, ids[1] as string)).toBe('pending_dropoff')
    await sound()
  })

  it('cancels drafts and the cart without money', async () => {
    const customer = await createCustomer(test)
    const draft = await createParcel(test, customer)
    const [inCart] = await fillCart(test, customer)
    const answer = await cancel(customer, [draft.id, inCart?.id as string], { reason: 'changed my mind' })
    expect(answer.body.items.map(({ status }) => status)).toEqual(['cancel', 'cancel'])
    expect(answer.body.refunds).toEqual([])
    const { events } = (await test.call(getParcel, { token: customer.token, params: { id: draft.id } })).body
    expect(events[0]).toMatchObject({ event: 'cancelled', note: 'changed my mind' })
  })

  it('ends an order that waits for its payment; what stays is back in the cart and free for another', async () => {
    const customer = await rich()
    const order = await placeOrder(test, customer, { count: 2 })
    const form = await payAtGateway(test, customer, order)
    const [first, second] = order.parcels.map(({ id }) => id) as [string, string]
    expect((await cancel(customer, [first])).status).toBe(200)
    expect(await getStatus(customer, first)).toBe('cancel')
    expect(await getStatus(customer, second)).toBe('incart')
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'cancel' })
    await test.settle()
    const payment = (await test.call(getPayment, { token: customer.token, params: { id: form.paymentId } })).body
    expect(payment.status).toBe('expired')
    // The bank's page was still open.
    await bank.pay(test, form.fields)
    expect(await balance(customer)).toBe(funds + order.totalMinor)
    expect(await getStatus(customer, first)).toBe('cancel')
    const again = await test.call(createOrder, {
      token: customer.token,
      body: { parcelIds: [second], expectedTotalMinor: order.parcels[1]?.priceMinor ?? 0 },
    })
    expect(again.status).toBe(200)
    await sound()
  })

  it('gives gateway money to the wallet or leaves it to staff for the card, as the customer wants it', async () => {
    const customer = await createCustomer(test)
    const order = await placeOrder(test, customer, { count: 2 })
    await bank.pay(test, (await payAtGateway(test, customer, order)).fields)
    const [first, second] = order.parcels as [(typeof order.parcels)[0], (typeof order.parcels)[0]]
    const both = [first.id, second.id]
    expect((await preview(customer, both)).body).toMatchObject({
      refundMinor: order.totalMinor,
      cardMinor: order.totalMinor,
    })
    const one = await cancel(customer, [first.id], { refundTo: 'wallet' })
    expect(one.body.refunds).toMatchObject([{ destination: 'wallet', status: 'done' }])
    expect(await balance(customer)).toBe(first.priceMinor)
    const two = await cancel(customer, [second.id], { refundTo: 'card' })
    expect(two.body.refunds).toMatchObject([
      { destination: 'card', status: 'requested', amountMinor: second.priceMinor },
    ])
    expect(two.body.items[0]?.status).toBe('cancel')
    expect(await balance(customer)).toBe(first.priceMinor)
    await sound()
  })

  it('gives credits back to the wallet, whatever was asked for', async () => {
    const { customer, ids } = await paidOrder(1)
    expect((await cancel(customer, ids, { refundTo: 'card' })).body.refunds).toMatchObject([{ destination: 'wallet' }])
    expect(await balance(customer)).toBe(funds)
  })

  it('refunds once: two clicks, two devices, the same key again', async () => {
    const { customer, order, ids } = await paidOrder(2)
    const key = newId()
    const answers = await Promise.all([
      cancel(customer, ids, {}, key),
      cancel(customer, ids, {}, key),
      cancel(customer, ids),
      cancel(customer, [ids[0] as string]),
      test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} }),
    ])
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    // Where the one parcel was first, the other is still there.
    await test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} })
    expect((await cancel(customer, ids)).error).toMatchObject({ code: 'transition_forbidden' })
    expect(
      (await test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} })).error,
    ).toMatchObject({ code: 'order_closed' })
    expect(await balance(customer)).toBe(funds)
    await sound()
  })

  it('of a whole order takes what is still there when its turn comes', async () => {
    const { customer, order, ids } = await paidOrder(3)
    const [first, second, third] = ids as [string, string, string]
    // Both have read the order with all its parcels before the first of them gets the lock.
    const [one, rest] = await queueBehind(
      test,
      sql`select 1 from orders where id = ${order.id}::uuid for update`,
      () => cancel(customer, [first]),
      () => test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} }),
    )
    expect(one.body.items.map(({ id }) => id)).toEqual([first])
    expect([rest.status, rest.body.items?.map(({ id }) => id)]).toEqual([200, [second, third]])
    expect(await balance(customer)).toBe(funds)
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'refunded' })
    await sound()
  })

  it('of a whole order finds it closed when another device was quicker', async () => {
    const { customer, order } = await paidOrder(2)
    const whole = () => test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} })
    const lock = sql`select 1 from orders where id = ${order.id}::uuid for update`
    const [one, two] = await queueBehind(test, lock, whole, whole)
    expect(one.status).toBe(200)
    expect(two.error).toMatchObject({ code: 'order_closed', details: { status: 'refunded' } })
    expect(await balance(customer)).toBe(funds)
  })

  it('refunds the fee of a visit that another order paid for, even if the parcel joined it meanwhile', async () => {
    const customer = await rich()
    const payer = await placeOrder(test, customer, { mode: 'D2D' })
    await payCredits(test, customer, payer)
    const joining = await placeOrder(test, customer, { mode: 'D2D' })
    expect(joining.pickup?.joins).toBe(true)
    await payCredits(test, customer, joining)
    await cancel(customer, [payer.parcels[0]?.id as string])
    const id = joining.parcels[0]?.id as string
    const { pickup_request_id: visit } = await test.deps.db
      .selectFrom('parcels')
      .select('pickup_request_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    // As a cancellation reads it that came just before the payment.
    await sql`update parcels set pickup_request_id = null where id = ${id}::uuid`.execute(test.deps.db)
    const [answer] = await queueBehind(
      test,
      sql`with locked as (select 1 from orders where id = ${joining.id}::uuid for update)
        update parcels set pickup_request_id = ${visit}::uuid where id = ${id}::uuid and exists (select from locked)`,
      () => cancel(customer, [id]),
    )
    expect(answer.body.refunds.map(({ orderId }) => orderId).sort()).toEqual([payer.id, joining.id].sort())
    expect(await balance(customer)).toBe(funds)
    await sound()
  })

  it('and paying at the same moment leave a paid order that was refunded, or one that was never paid', async () => {
    for (let round = 0; round < 6; round += 1) {
      const customer = await rich()
      const order = await placeOrder(test, customer, { count: 2 })
      const ids = order.parcels.map(({ id }) => id)
      const [pay, cancelled] = await Promise.all([payCredits(test, customer, order), cancel(customer, ids)])
      expect([200, 409]).toContain(pay.status)
      expect(cancelled.status).toBe(200)
      expect(await balance(customer)).toBe(funds)
      const { status } = await orderNow(test, customer, order)
      expect(status).toBe(pay.status === 200 ? 'refunded' : 'cancel')
    }
    await sound()
  })

  it('refuses a stale version, another one’s parcels and orders, parcels of another order', async () => {
    const { customer, order, ids } = await paidOrder(1)
    const stranger = await createCustomer(test)
    const [id] = ids as [string]
    const version = (await test.call(getParcel, { token: customer.token, params: { id } })).body.version
    expect((await cancel(customer, ids, { versions: { [id]: version - 1 } })).error.code).toBe('version_conflict')
    expect((await cancel(stranger, ids)).status).toBe(404)
    expect((await cancel(customer, [newId()])).status).toBe(404)
    expect((await preview(stranger, ids)).status).toBe(404)
    const theirs = (body: BodyIn<typeof cancelOrder>, { token }: TestCustomer) =>
      test.call(cancelOrder, { token, params: { id: order.id }, body })
    expect((await theirs({}, stranger)).status).toBe(404)
    const draft = await createParcel(test, customer)
    expect((await theirs({ parcelIds: [draft.id] }, customer)).status).toBe(404)
    expect((await cancel(customer, [])).status).toBe(422)
    expect((await cancel(customer, ids, { refundTo: 'cash' as never })).status).toBe(422)
    const member = await createMember(test, customer, ['parcels.create'])
    expect((await cancel(member, ids)).status).toBe(404)
    expect((await cancel(customer, ids, { versions: { [id]: version } })).status).toBe(200)
  })

  it('is refused by the database when it would give back more than was paid, or a parcel’s money twice', async () => {
    const { customer, order, ids } = await paidOrder(1)
    const { db } = test.deps
    await expect(
      sql`update orders set refunded_minor = paid_minor + 1 where id = ${order.id}::uuid`.execute(db),
    ).rejects.toMatchObject({ constraint: 'orders_refunded' })
    await cancel(customer, ids)
    await expect(
      sql`insert into refunded_parcels select account_id, parcel_id, ${newId()}::uuid, 1 from refunded_parcels
        where parcel_id = ${ids[0]}::uuid`.execute(db),
    ).rejects.toMatchObject({ constraint: 'refunded_parcels_pkey' })
  })

  it('numbers credit notes without gaps when many cancel at once and some may not', async () => {
    const orders: Awaited<ReturnType<typeof paidOrder>>[] = []
    for (let n = 0; n < 12; n += 1) orders.push(await paidOrder(1))
    const late = orders.filter((_, n) => n % 4 === 3)
    for (const { customer, ids } of late) await pickUp(customer, ids[0] as string, 'accepted')
    const answers = await Promise.all(orders.map(({ customer, ids }) => cancel(customer, ids)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
    const { rows } = await sql<{ number: string }>`
      select number from credit_notes order by number`.execute(test.deps.db)
    const serials = rows.map(({ number }) => Number(/^CN-\d{4}-(\d{6})$/.exec(number)?.[1]))
    expect(serials).toEqual(serials.map((_, n) => n + 1))
  })

  it('numbers credit notes without gaps, also where a cancellation is rolled back', async () => {
    const [one, two] = [await paidOrder(2), await paidOrder(1)]
    const [first, second] = one.ids as [string, string]
    await cancel(one.customer, [first])
    await pickUp(one.customer, second, 'accepted')
    expect((await cancel(one.customer, [second])).status).toBe(409)
    await cancel(two.customer, two.ids)
    const { rows } = await sql<{ gaps: number }>`
      select max(split_part(number, '-', 3)::int) - count(*) as gaps from credit_notes`.execute(test.deps.db)
    expect(rows[0]?.gaps).toBe(0)
    const invoiced = (await test.call(getInvoice, { token: two.customer.token, params: { id: two.order.id } })).body
    expect(invoiced.totalMinor).toBe(two.order.totalMinor)
  })

  it('is for the parcels of several orders as well, each with a refund of its own', async () => {
    const customer = await rich()
    const orders = [await placeOrder(test, customer), await placeOrder(test, customer, { count: 2 })]
    for (const order of orders) await payCredits(test, customer, order)
    const ids = orders.flatMap(({ parcels }) => parcels.map(({ id }) => id))
    const answer = await cancel(customer, ids)
    expect(answer.body.refunds.map(({ amountMinor }) => amountMinor).sort()).toEqual(
      orders.map(({ totalMinor }) => totalMinor).sort(),
    )
    expect(await balance(customer)).toBe(funds)
    await sound()
  })

  it('leaves an order completed when the rest arrives', async () => {
    const { customer, order, ids } = await paidOrder(2)
    await cancel(customer, [ids[0] as string])
    await sql`
      update parcels set status = 'delivering', handed_over = true, holder = 'rider', rider_id = ${rider.userId}::uuid
      where id = ${ids[1]}::uuid`.execute(test.deps.db)
    const { trackingNumber } = (await test.call(getParcel, { token: customer.token, params: { id: ids[1] as string } }))
      .body
    const words = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' }
    await test.call(scan, {
      token: rider.token,
      body: { trackingNumber: trackingNumber ?? '', event: 'delivered', ...words },
    })
    await test.settle()
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'completed' })
  })

  it('of a parcel of the cart frees it from the order that waited for it', async () => {
    const customer = await rich()
    const order = await placeOrder(test, customer, { count: 2 })
    const [first, second] = order.parcels.map(({ id }) => id) as [string, string]
    await cancel(customer, [first])
    expect((await payCredits(test, customer, order)).error.code).toBe('order_closed')
    const remaining = (await test.call(getParcel, { token: customer.token, params: { id: second } })).body
    expect(remaining).toMatchObject({ status: 'incart', orderId: null })
    expect(await quoteTotal(test, customer, [remaining])).toBe(remaining.priceMinor)
    const cancelled = (await test.call(getParcel, { token: customer.token, params: { id: first } })).body
    const edit = await test.call(updateParcel, {
      token: customer.token,
      body: { id: first, version: cancelled.version, scope: 'domestic' },
    })
    expect(edit.error.code).toBe('transition_forbidden')
    await tasks['orders:expire']?.(test.deps, {})
    await sound()
  })
})
