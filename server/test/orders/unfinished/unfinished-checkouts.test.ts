import {
  abandonCheckouts,
  abandonCheckoutsAlias,
  pendingCheckouts,
  pendingCheckoutsAlias,
} from '@waybill/contract/orders/checkout'
import { getOrder } from '@waybill/contract/orders/orders'
import { changeService, removeParcels, takeOutOfCart } from '@waybill/contract/parcels/cart'
import { payInStore } from '@waybill/contract/parcels/outstanding'
import { getParcel, updateParcel } from '@waybill/contract/parcels/parcels'
import { getPayment } from '@waybill/contract/payments/payments'
import { getPickupRequest } from '@waybill/contract/pickups/pickups'
import { accountEvents } from '@waybill/contract/tracking/account-events'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { expireUnpaid } from '../../../src/domains/orders/service.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payAtGateway, payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { type BankPeer, startBankPeer } from '../../testing/peers/bank.ts'
import { listening, openStream } from '../../testing/streams.ts'

describe('pending checkouts', () => {
  let test: TestApp
  let bank: BankPeer
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
  })

  it('are listed until they are paid, by both endpoints', async () => {
    const customer = await createPayer(test)
    const { token } = customer
    const [first, second] = [await placeOrder(test, customer), await placeOrder(test, customer, { count: 2 })]
    const numbers = async (endpoint: typeof pendingCheckouts | typeof pendingCheckoutsAlias) =>
      (await test.call(endpoint, { token })).body.items.map(({ number }) => number)
    expect(await numbers(pendingCheckouts)).toEqual([second.number, first.number])
    await payCredits(test, customer, first)
    expect(await numbers(pendingCheckoutsAlias)).toEqual([second.number])
  })

  it.each([
    ['taken out of the cart', (id: string, token: string) => test.call(takeOutOfCart, { token, body: { ids: [id] } })],
    ['removed', (id: string, token: string) => test.call(removeParcels, { token, body: { ids: [id] } })],
    [
      'edited',
      async (id: string, token: string) => {
        const parcel = (await test.call(getParcel, { token, params: { id } })).body
        return test.call(updateParcel, { token, body: { ...parcel, weightGrams: 1500, addToCart: true } as never })
      },
    ],
    [
      'given another service',
      async (id: string, token: string) => {
        const { version } = (await test.call(getParcel, { token, params: { id } })).body
        return test.call(changeService, { token, params: { id }, body: { serviceType: 'semi_express', version } })
      },
    ],
  ] as const)('end if one of their parcels is %s, and release the others', async (_what, change) => {
    const customer = await createCustomer(test)
    const { token } = customer
    const [unfinished, unpaid] = [await placeOrder(test, customer, { count: 2 }), await placeOrder(test, customer)]
    const [first, second] = unfinished.parcels.map(({ id }) => id) as [string, string]
    const answer = await change(first, token)
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    await test.settle()
    expect((await test.call(pendingCheckouts, { token })).body.items.map(({ id }) => id)).toEqual([unpaid.id])
    expect((await test.call(getOrder, { token, params: { id: unfinished.id } })).body.status).toBe('cancel')
    const other = (await test.call(getParcel, { token, params: { id: second } })).body
    expect(other).toMatchObject({ status: 'incart', orderId: null })
  })

  it('are reported to open screens when they end in the background', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    const [broken, expired] = [await placeOrder(test, customer, { count: 2 }), await placeOrder(test, customer)]
    await test.settle()
    const stream = await openStream(await listening(test), accountEvents, { token })
    await test.call(removeParcels, { token, body: { ids: [broken.parcels[0]?.id ?? ''] } })
    await test.settle()
    expect(await stream.next()).toEqual({ event: 'order', data: { id: broken.id } })
    await sql`update orders set expires_at = now() - interval '1 day' where id = ${expired.id}::uuid`.execute(
      test.deps.db,
    )
    await expireUnpaid(test.deps)
    expect(await stream.next()).toEqual({ event: 'order', data: { id: expired.id } })
    await stream.close()
  })

  it('return the time of payment if they are paid again', async () => {
    const customer = await createPayer(test)
    const order = await placeOrder(test, customer)
    await payCredits(test, customer, order)
    const paidAt = (await test.call(getOrder, { token: customer.token, params: { id: order.id } })).body.paidAt ?? ''
    const again = await payCredits(test, customer, order)
    expect(again.error).toMatchObject({ statusCode: 409, code: 'order_closed', details: { paidAt, accepted: true } })
    const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kuala_Lumpur', timeStyle: 'short' })
    expect(again.error.message).toContain(`already paid at ${time.format(new Date(paidAt))}`)
    await sql`update orders set paid_at = '2026-09-08T04:05:00Z' where id = ${order.id}::uuid`.execute(test.deps.db)
    expect((await payCredits(test, customer, order)).error.message).toContain('08 Sep 2026 12:05')
    const chinese = await payCredits(test, customer, order, { headers: { 'accept-language': 'zh' } })
    expect(chinese.error.message).toContain('2026年9月8日 12:05')
    const dropOffOrder = await placeOrder(test, customer, { mode: 'P2D' })
    const body = { expectedTotalMinor: dropOffOrder.totalMinor }
    await test.call(payInStore, { token: customer.token, params: { id: dropOffOrder.id }, body })
    const secondPayment = await payCredits(test, customer, dropOffOrder)
    expect(secondPayment.error.code).toBe('order_closed')
    expect(secondPayment.error.message).toContain('already booked')
  })

  it('link a paid parcel to its pickup', async () => {
    const customer = await createPayer(test)
    const { token } = customer
    const order = await placeOrder(test, customer, { mode: 'D2D' })
    const params = { id: order.parcels[0]?.id ?? '' }
    expect((await test.call(getParcel, { token, params })).body.pickupRequestId).toBeNull()
    await payCredits(test, customer, order)
    const parcel = (await test.call(getParcel, { token, params })).body
    const visit = await test.call(getPickupRequest, { token, params: { id: parcel.pickupRequestId ?? '' } })
    expect(visit.body).toMatchObject({ date: order.pickup?.date, window: order.pickup?.window })
  })

  it('return their parcels to the cart when they are abandoned', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    const [other, unfinished] = [await placeOrder(test, customer), await placeOrder(test, customer, { count: 2 })]
    await payAtGateway(test, customer, unfinished)
    const answer = await test.call(abandonCheckouts, { token, query: { ids: unfinished.id } })
    expect(answer.body.orderIds).toEqual([unfinished.id])
    expect(answer.body.parcelIds.toSorted()).toEqual(unfinished.parcels.map(({ id }) => id).toSorted())
    for (const { id } of unfinished.parcels) {
      const parcel = (await test.call(getParcel, { token, params: { id } })).body
      expect(parcel).toMatchObject({ status: 'incart', orderId: null })
      expect(parcel.events.map(({ event }) => event)).toContain('checkout_abandoned')
    }
    expect((await test.call(getOrder, { token, params: { id: unfinished.id } })).body.status).toBe('cancel')
    expect((await test.call(getOrder, { token, params: { id: other.id } })).body.status).toBe('pending_payment')
    // Repeating it changes nothing. Without ids, it applies to all that remain.
    expect((await test.call(abandonCheckouts, { token, query: { ids: unfinished.id } })).status).toBe(404)
    expect((await test.call(abandonCheckoutsAlias, { token })).body.orderIds).toEqual([other.id])
    expect((await test.call(pendingCheckouts, { token })).body.items).toEqual([])
  })

  it('credit the wallet if they are paid at the bank anyway', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    const order = await placeOrder(test, customer)
    const form = await payAtGateway(test, customer, order)
    await test.call(abandonCheckouts, { token })
    await bank.pay(test, form.fields)
    await test.settle()
    expect((await test.call(getPayment, { token, params: { id: form.paymentId } })).body.status).toBe('succeeded')
    expect((await test.call(getWallet, { token })).body.balanceMinor).toBe(order.totalMinor)
    expect((await test.call(getOrder, { token, params: { id: order.id } })).body.status).toBe('cancel')
  })

  it('are never those of another customer', async () => {
    const [owner, stranger] = [await createCustomer(test), await createCustomer(test)]
    const order = await placeOrder(test, owner)
    expect((await test.call(pendingCheckouts, { token: stranger.token })).body.items).toEqual([])
    expect((await test.call(abandonCheckouts, { token: stranger.token, query: { ids: order.id } })).status).toBe(404)
    expect((await test.call(abandonCheckouts, { token: stranger.token })).body.orderIds).toEqual([])
    expect((await test.call(getOrder, { token: owner.token, params: { id: order.id } })).body.status).toBe(
      'pending_payment',
    )
  })
})
