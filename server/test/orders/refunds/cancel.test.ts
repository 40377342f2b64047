import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { payCorporate } from '@waybill/contract/orders/monthly-billing'
import { createOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { cancelOrder, listCreditNotes, previewCancel } from '@waybill/contract/orders/refunds'
import { getParcel, type Parcel, updateParcel } from '@waybill/contract/parcels/parcels'
import { scan } from '@waybill/contract/parcels/scanning'
import { getPayment } from '@waybill/contract/payments/payments'
import { listPickupRequests } from '@waybill/contract/pickups/pickups'
import { walletHistory } from '@waybill/contract/wallet/wallet'
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
import { allowBilling } from '../../testing/factories/billing.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { latestMail } from '../../testing/factories/newcomers.ts'
import { fillCart, orderNow, payAtGateway, payCredits, placeOrder, quoteTotal } from '../../testing/factories/orders.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { type BankPeer, startBankPeer } from '../../testing/peers/bank.ts'
import { withoutPickup } from '../../testing/without-pickup.ts'
import { cancel, expectSoundRefunds, funds, getBalance, placePaidOrder, takeOver } from './cancellations.ts'

describe('cancelling before handover', () => {
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

  const getStatus = async ({ token }: TestCustomer, id: string) =>
    (await test.call(getParcel, { token, params: { id } })).body.status
  const notes = async ({ token }: TestCustomer, { id }: OrderDetail) =>
    (await test.call(listCreditNotes, { token, params: { id } })).body.items

  it('returns the credits of a paid order immediately, with a credit note and a wallet entry', async () => {
    const { customer, order, ids } = await placePaidOrder(test, 2)
    expect((await test.call(previewCancel, { token: customer.token, body: { ids } })).body).toMatchObject({
      refundMinor: order.totalMinor,
      cardMinor: 0,
    })
    const answer = await test.call(cancelOrder, { token: customer.token, params: { id: order.id }, body: {} })
    expect(answer.status).toBe(200)
    expect(answer.body.refunds).toMatchObject([
      { orderId: order.id, destination: 'wallet', status: 'done', amountMinor: order.totalMinor },
    ])
    expect(answer.body.items.map(({ status }) => status)).toEqual(['refunded', 'refunded'])
    expect(answer.body.items.every(({ allowedActions }) => !allowedActions.includes('cancel'))).toBe(true)
    expect(await getBalance(test, customer)).toBe(funds)
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
    await expectSoundRefunds(test)
  })

  it('emails what was cancelled and how it is refunded, in the language of the user who cancelled', async () => {
    const customer = await createPayer(test, {
      language: 'cn_zh',
      email: 'cancels.in.chinese@example.test',
      creditsMinor: funds,
    })
    const order = await placeOrder(test, customer)
    await payCredits(test, customer, order)
    await cancel(test, customer, [order.parcels[0]?.id as string])
    await test.settle()
    const mail = await latestMail(test, customer.email)
    expect(mail.subject).toContain('已退至您的钱包')
    expect(mail.text).toContain(order.number)
    expect(mail.text).toContain(`http://portal.test/orders/${order.id}`)
  })

  it('emails each destination of the money with its own orders, parcels and amount', async () => {
    const customer = await createPayer(test, { userType: 'corporate', creditsMinor: funds })
    await allowBilling(test, customer)
    const [withCredits, billed, unpaid] = [
      await placeOrder(test, customer),
      await placeOrder(test, customer),
      await placeOrder(test, customer),
    ]
    await payCredits(test, customer, withCredits)
    const body = { expectedTotalMinor: billed.totalMinor }
    const bill = await test.call(payCorporate, { token: customer.token, params: { id: billed.id }, body })
    expect(bill.status).toBe(200)
    const orders = [withCredits, billed, unpaid]
    const ids = orders.map(({ parcels }) => parcels[0]?.id as string)
    expect((await cancel(test, customer, ids)).status).toBe(200)
    await test.settle()

    const cells = [
      [withCredits, 'in your wallet'],
      [billed, 'off your monthly statement'],
      [unpaid, `order ${unpaid.number}`],
    ] as const
    for (const [order, subject] of cells) {
      const mail = await test.mailbox.waitFor(
        ({ to, text }) => to.includes(customer.email) && text.includes(order.number),
      )
      expect(mail.subject).toContain(subject)
      expect(mail.text).toContain(`http://portal.test/orders/${order.id}`)
      for (const other of orders.filter((each) => each !== order)) expect(mail.text).not.toContain(other.number)
    }
    expect(test.mailbox.mails().filter(({ to }) => to.includes(customer.email))).toHaveLength(3)
  })

  it('refunds exactly the share of each parcel, and the pickup with the last of them', async () => {
    const { customer, order, ids } = await placePaidOrder(test, 3, 'D2D')
    const [first, second, third] = order.parcels as [
      (typeof order.parcels)[0],
      (typeof order.parcels)[0],
      (typeof order.parcels)[0],
    ]
    const own = order.totalMinor - order.parcels.reduce((sum, parcel) => sum + withoutPickup(parcel), 0)
    expect(own).toBeGreaterThan(0)
    const preview = async (ids: string[]) =>
      (await test.call(previewCancel, { token: customer.token, body: { ids } })).body
    expect(await preview([first.id])).toMatchObject({ pickupMinor: 0, keptPickupMinor: own })
    const one = await cancel(test, customer, [first.id])
    expect(one.body.refunds[0]?.amountMinor).toBe(withoutPickup(first))
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'pending' })
    const pickup = async () => (await test.call(listPickupRequests, { token: customer.token, query: {} })).body.items[0]
    expect(await pickup()).toMatchObject({ parcelCount: 2, status: 'new' })
    expect(await preview([second.id, third.id])).toMatchObject({ pickupMinor: own, keptPickupMinor: 0 })
    const rest = await cancel(test, customer, [second.id, third.id])
    expect(rest.body.refunds[0]?.amountMinor).toBe(withoutPickup(second) + withoutPickup(third) + own)
    expect(await getBalance(test, customer)).toBe(funds)
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'refunded' })
    const cancelled = await test.deps.db
      .selectFrom('pickup_requests')
      .select(['parcel_count', 'cancelled_at'])
      .where('order_id', '=', order.id)
      .executeTakeFirst()
    expect(cancelled).toMatchObject({ parcel_count: 0, cancelled_at: expect.any(Date) })
    expect((await notes(customer, order)).length).toBe(2)
    expect(ids.length).toBe(3)
    await expectSoundRefunds(test)
  })

  it('keeps the pickup fee once the rider has collected one of the parcels', async () => {
    const { customer, order, ids } = await placePaidOrder(test, 2, 'D2D')
    await takeOver(test, rider, customer, ids[0] as string, 'picked_up')
    const answer = await cancel(test, customer, [ids[1] as string])
    expect(answer.body.refunds[0]?.amountMinor).toBe(withoutPickup(order.parcels[1] as Parcel))
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'pending' })
  })

  it('reports why a parcel that was handed over cannot be cancelled, and cancels none of the others', async () => {
    const { customer, ids } = await placePaidOrder(test, 2)
    await takeOver(test, rider, customer, ids[0] as string, 'accepted')
    const answer = await cancel(test, customer, ids)
    expect(answer).toMatchObject({
      status: 409,
      error: { code: 'cancel_after_hand_over', details: { status: 'inbound' } },
    })
    expect(answer.error.message).toContain('At a station')
    expect((await test.call(previewCancel, { token: customer.token, body: { ids } })).status).toBe(409)
    expect(await getStatus(customer, ids[1] as string)).toBe('pending_dropoff')
    await expectSoundRefunds(test)
  })

  it('cancels drafts and the cart without a refund', async () => {
    const customer = await createCustomer(test)
    const draft = await createParcel(test, customer)
    const [inCart] = await fillCart(test, customer)
    const answer = await cancel(test, customer, [draft.id, inCart?.id as string], { reason: 'changed my mind' })
    expect(answer.body.items.map(({ status }) => status)).toEqual(['cancel', 'cancel'])
    expect(answer.body.refunds).toEqual([])
    const { events } = (await test.call(getParcel, { token: customer.token, params: { id: draft.id } })).body
    expect(events[0]).toMatchObject({ event: 'cancelled', note: 'changed my mind' })
  })

  it('cancels an unpaid order; its remaining parcels return to the cart for another order', async () => {
    const customer = await createPayer(test)
    const order = await placeOrder(test, customer, { count: 2 })
    const form = await payAtGateway(test, customer, order)
    const [first, second] = order.parcels.map(({ id }) => id) as [string, string]
    expect((await cancel(test, customer, [first])).status).toBe(200)
    expect(await getStatus(customer, first)).toBe('cancel')
    expect(await getStatus(customer, second)).toBe('incart')
    expect(await orderNow(test, customer, order)).toMatchObject({ status: 'cancel' })
    await test.settle()
    const payment = (await test.call(getPayment, { token: customer.token, params: { id: form.paymentId } })).body
    expect(payment.status).toBe('expired')
    // The bank's page is still open.
    await bank.pay(test, form.fields)
    expect(await getBalance(test, customer)).toBe(funds + order.totalMinor)
    expect(await getStatus(customer, first)).toBe('cancel')
    const again = await test.call(createOrder, {
      token: customer.token,
      body: { parcelIds: [second], expectedTotalMinor: order.parcels[1]?.priceMinor ?? 0 },
    })
    expect(again.status).toBe(200)
    await expectSoundRefunds(test)
  })

  it('refunds gateway money to the wallet or leaves it to staff for the card, as the customer chooses', async () => {
    const customer = await createCustomer(test)
    const order = await placeOrder(test, customer, { count: 2 })
    await bank.pay(test, (await payAtGateway(test, customer, order)).fields)
    const [first, second] = order.parcels as [(typeof order.parcels)[0], (typeof order.parcels)[0]]
    const both = [first.id, second.id]
    expect((await test.call(previewCancel, { token: customer.token, body: { ids: both } })).body).toMatchObject({
      refundMinor: order.totalMinor,
      cardMinor: order.totalMinor,
    })
    const one = await cancel(test, customer, [first.id], { refundTo: 'wallet' })
    expect(one.body.refunds).toMatchObject([{ destination: 'wallet', status: 'done' }])
    expect(await getBalance(test, customer)).toBe(first.priceMinor)
    const two = await cancel(test, customer, [second.id], { refundTo: 'card' })
    expect(two.body.refunds).toMatchObject([
      { destination: 'card', status: 'requested', amountMinor: second.priceMinor },
    ])
    expect(two.body.items[0]?.status).toBe('cancel')
    expect(await getBalance(test, customer)).toBe(first.priceMinor)
    await expectSoundRefunds(test)
  })

  it('always refunds credits to the wallet, whatever the request says', async () => {
    const { customer, ids } = await placePaidOrder(test, 1)
    expect((await cancel(test, customer, ids, { refundTo: 'card' })).body.refunds).toMatchObject([
      { destination: 'wallet' },
    ])
    expect(await getBalance(test, customer)).toBe(funds)
  })

  it("rejects a stale version, other customers' parcels and orders, and parcels of another order", async () => {
    const { customer, order, ids } = await placePaidOrder(test, 1)
    const stranger = await createCustomer(test)
    const [id] = ids as [string]
    const version = (await test.call(getParcel, { token: customer.token, params: { id } })).body.version
    expect((await cancel(test, customer, ids, { versions: { [id]: version - 1 } })).error.code).toBe('version_conflict')
    expect((await cancel(test, stranger, ids)).status).toBe(404)
    expect((await cancel(test, customer, [newId()])).status).toBe(404)
    expect((await test.call(previewCancel, { token: stranger.token, body: { ids } })).status).toBe(404)
    const cancelForeign = (body: BodyIn<typeof cancelOrder>, { token }: TestCustomer) =>
      test.call(cancelOrder, { token, params: { id: order.id }, body })
    expect((await cancelForeign({}, stranger)).status).toBe(404)
    const draft = await createParcel(test, customer)
    expect((await cancelForeign({ parcelIds: [draft.id] }, customer)).status).toBe(404)
    expect((await cancel(test, customer, [])).status).toBe(422)
    expect((await cancel(test, customer, ids, { refundTo: 'cash' as never })).status).toBe(422)
    const member = await createMember(test, customer, ['parcels.create'])
    expect((await cancel(test, member, ids)).status).toBe(404)
    expect((await cancel(test, customer, ids, { versions: { [id]: version } })).status).toBe(200)
  })

  it('accepts parcels of several orders, with a separate refund for each', async () => {
    const customer = await createPayer(test)
    const orders = [await placeOrder(test, customer), await placeOrder(test, customer, { count: 2 })]
    for (const order of orders) await payCredits(test, customer, order)
    const ids = orders.flatMap(({ parcels }) => parcels.map(({ id }) => id))
    const answer = await cancel(test, customer, ids)
    expect(answer.body.refunds.map(({ amountMinor }) => amountMinor).sort()).toEqual(
      orders.map(({ totalMinor }) => totalMinor).sort(),
    )
    expect(await getBalance(test, customer)).toBe(funds)
    await expectSoundRefunds(test)
  })

  it('completes the order when the remaining parcels arrive', async () => {
    const { customer, order, ids } = await placePaidOrder(test, 2)
    await cancel(test, customer, [ids[0] as string])
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

  it('of a parcel in the cart releases it from its unpaid order', async () => {
    const customer = await createPayer(test)
    const order = await placeOrder(test, customer, { count: 2 })
    const [first, second] = order.parcels.map(({ id }) => id) as [string, string]
    await cancel(test, customer, [first])
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
    await expectSoundRefunds(test)
  })
})
