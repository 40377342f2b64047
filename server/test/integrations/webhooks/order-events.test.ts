import { listOutstanding, payInStore, payOutstanding } from '@waybill/contract/parcels/outstanding'
import { beforeAll, describe, expect, it } from 'vitest'
import { expireUnpaid } from '../../../src/domains/orders/service.ts'
import { minutes } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { fillCart, orderParcels, placeOrder } from '../../testing/factories/orders.ts'
import { fundWallet, setWalletPin, testPin } from '../../testing/factories/wallet.ts'
import { subscribe } from './subscribers.ts'

describe('webhooks about orders', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })
    await seedTestNetwork(test)
  })

  it('name each order that is paid with others at once', async () => {
    const subscriber = await subscribe(test, ['order.paid'])
    const { owner, receiver } = subscriber
    await fundWallet(test, owner)
    await setWalletPin(test, owner)
    const { token } = owner
    const orders = [await placeOrder(test, owner), await placeOrder(test, owner)]
    for (const { id, totalMinor } of orders) {
      const booked = await test.call(payInStore, { token, params: { id }, body: { expectedTotalMinor: totalMinor } })
      expect(booked.status).toBe(200)
    }
    const due = (await test.call(listOutstanding, { token })).body
    const body = {
      parcelIds: due.items.map(({ parcelId }) => parcelId),
      totalSeenMinor: due.totalDueMinor,
      pin: testPin,
    }
    const payment = await test.call(payOutstanding, { token, body })
    expect([payment.status, payment.body.orderId]).toEqual([200, null])
    await subscriber.deliver()
    const paid = orders.map(({ id }) => ({ orderId: id, paymentId: payment.body.id }))
    expect(receiver.events().map(({ event }) => event)).toEqual(['order.paid', 'order.paid'])
    expect(receiver.events().map(({ data }) => data)).toEqual(expect.arrayContaining(paid))
  })

  it('are sent when an unpaid order expires, or is replaced by another order of its parcel', async () => {
    const subscriber = await subscribe(test, ['order.cancelled'])
    const { owner, receiver } = subscriber
    const parcels = await fillCart(test, owner)
    const replaced = await orderParcels(test, owner, parcels)
    const expired = await orderParcels(test, owner, parcels)
    await subscriber.deliver()
    test.clock.advance(minutes(31))
    await expireUnpaid(test.deps)
    await subscriber.deliver()
    expect(receiver.events().map(({ event, data }) => [event, data])).toEqual([
      ['order.cancelled', { orderId: replaced.id }],
      ['order.cancelled', { orderId: expired.id }],
    ])
  })
})
