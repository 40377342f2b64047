import { createOrder, getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { cancelOrder, cancelParcels, previewCancel } from '@waybill/contract/orders/refunds'
import { getParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import { bookPickup, cancelPickup, getPickupRequest, listPickupRequests } from '@waybill/contract/pickups/pickups'
import { pickupSlots } from '@waybill/contract/pickups/slots'
import { priceSummary } from '@waybill/contract/pricing/pricing'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { fillCart, payAtGateway, payCredits, testPickup } from '../../testing/factories/orders.ts'
import { testParty } from '../../testing/factories/parcels.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { workingDay } from '../../testing/factories/working-day.ts'
import { type BankPeer, startBankPeer } from '../../testing/peers/bank.ts'
import { withoutPickup } from '../../testing/without-pickup.ts'

const fee = 212
const funds = 200_000

describe('a pickup visit for several orders', () => {
  let test: TestApp
  let bank: BankPeer
  beforeAll(async () => {
    bank = await startBankPeer()
    test = await buildTestApp(bank.environment)
    await seedTestNetwork(test)
  })

  const createRichCustomer = async () => {
    const customer = await createPayer(test, { creditsMinor: funds })
    return customer
  }
  const summary = async ({ token }: TestCustomer, parcels: readonly Parcel[], pickup: PickupChoice) =>
    (await test.call(priceSummary, { token, body: { parcelIds: parcels.map(({ id }) => id), pickup } })).body
  const place = async (customer: TestCustomer, pickup: PickupChoice, count = 1): Promise<OrderDetail> => {
    const parcels = await fillCart(test, customer, count, 'D2D')
    const answer = await test.call(createOrder, {
      token: customer.token,
      body: {
        parcelIds: parcels.map(({ id }) => id),
        expectedTotalMinor: (await summary(customer, parcels, pickup)).totalMinor,
        pickup,
      },
    })
    expect(answer.status).toBe(200)
    return answer.body
  }
  const pay = async (customer: TestCustomer, order: OrderDetail) => {
    expect((await payCredits(test, customer, order)).status).toBe(200)
    return (await test.call(getOrder, { token: customer.token, params: { id: order.id } })).body
  }
  const visits = async ({ token }: TestCustomer) =>
    (await test.call(listPickupRequests, { token, query: { tab: 'all' } })).body.items
  const balance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor
  const ids = (order: OrderDetail) => order.parcels.map(({ id }) => id)
  const own = (order: OrderDetail) => order.parcels.reduce((sum, parcel) => sum + withoutPickup(parcel), 0)
  const cancel = ({ token }: TestCustomer, parcelIds: string[]) =>
    test.call(cancelParcels, { token, body: { ids: parcelIds } })

  it('includes a second order without a fee, and shows this before payment', async () => {
    const customer = await createRichCustomer()
    const pickup = testPickup(test)
    const first = await pay(customer, await place(customer, pickup))
    expect(first.totalMinor).toBe(own(first) + fee)

    const parcels = await fillCart(test, customer, 2, 'D2D')
    // The address has another spelling and another contact person.
    const again = {
      ...pickup,
      address: testParty({ line1: '12, jalan TELAWI', line2: 'Bangsar Baru.', contactName: 'Ali' }),
    }
    const quote = await summary(customer, parcels, again)
    expect(quote.visit).toEqual({ number: first.pickup?.number, date: pickup.date, window: pickup.window })
    expect(quote.visits).toEqual([quote.visit])
    expect(quote.lines.some(({ kind }) => kind === 'pickup')).toBe(false)
    const order = await test.call(createOrder, {
      token: customer.token,
      body: { parcelIds: parcels.map(({ id }) => id), expectedTotalMinor: quote.totalMinor, pickup: again },
    })
    expect(order.body).toMatchObject({ totalMinor: own(order.body), pickup: { joins: true, number: null } })
    const second = await pay(customer, order.body)
    expect(second.pickup).toMatchObject({ joins: true, number: first.pickup?.number })
    const all = await visits(customer)
    expect(all.map(({ number, parcelCount }) => [number, parcelCount])).toEqual([[first.pickup?.number, 3]])
    const detail = await test.call(getPickupRequest, { token: customer.token, params: { id: all[0]?.id ?? '' } })
    expect(detail.body.parcels.map(({ id }) => id).sort()).toEqual([...ids(first), ...ids(second)].sort())
    for (const parcel of second.parcels) expect(parcel.price?.lines.some(({ kind }) => kind === 'pickup')).toBe(false)
  })

  it('is a separate visit for another day, window, address or sender', async () => {
    const customer = await createRichCustomer()
    const pickup = testPickup(test)
    await pay(customer, await place(customer, pickup))
    const parcels = await fillCart(test, customer, 1, 'D2D')
    const others: PickupChoice[] = [
      { ...pickup, window: '12:00-15:00' },
      testPickup(test, { date: workingDay(test, 6) }),
      { ...pickup, address: testParty({ line1: '14 Jalan Telawi' }) },
    ]
    for (const other of others) {
      const { visit, lines } = await summary(customer, parcels, other)
      expect([visit, lines.find(({ kind }) => kind === 'pickup')?.amountMinor]).toEqual([null, 200])
    }
    const stranger = await createCustomer(test)
    const theirs = await fillCart(test, stranger, 1, 'D2D')
    expect(await summary(stranger, theirs, pickup)).toMatchObject({ visit: null, visits: [] })
  })

  it('is charged once if two orders are paid at the same time', async () => {
    for (let round = 0; round < 4; round += 1) {
      const customer = await createRichCustomer()
      const pickup = testPickup(test)
      const orders = [await place(customer, pickup), await place(customer, pickup)] as const
      const answers = await Promise.all(orders.map((order) => payCredits(test, customer, order)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const late = answers.findIndex(({ status }) => status === 409)
      const order = orders[late] as OrderDetail
      expect(answers[late]?.error).toMatchObject({
        code: 'price_changed',
        details: { expectedTotalMinor: order.totalMinor, totalMinor: order.totalMinor - fee },
      })
      expect(await visits(customer)).toHaveLength(1)
    }
  })

  it('is joined by two orders at the same time', async () => {
    const customer = await createRichCustomer()
    const pickup = testPickup(test)
    await pay(customer, await place(customer, pickup))
    const orders = [await place(customer, pickup), await place(customer, pickup, 2)]
    const answers = await Promise.all(orders.map((order) => payCredits(test, customer, order)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await visits(customer)).map(({ parcelCount }) => parcelCount)).toEqual([4])
  })

  it('remains when the first order is cancelled, and its fee is refunded with the last parcel', async () => {
    const customer = await createRichCustomer()
    const pickup = testPickup(test)
    const first = await pay(customer, await place(customer, pickup, 2))
    const second = await pay(customer, await place(customer, pickup))
    const cancellation = await test.call(cancelOrder, { token: customer.token, params: { id: first.id }, body: {} })
    expect(cancellation.body.refunds.map(({ amountMinor }) => amountMinor)).toEqual([own(first)])
    expect((await visits(customer)).map(({ parcelCount, status }) => [parcelCount, status])).toEqual([[1, 'new']])

    const preview = await test.call(previewCancel, { token: customer.token, body: { ids: ids(second) } })
    expect(preview.body).toMatchObject({ refundMinor: own(second) + fee, pickupMinor: fee, keptPickupMinor: 0 })
    const rest = await cancel(customer, ids(second))
    expect(rest.body.refunds.map(({ orderId, amountMinor }) => [orderId, amountMinor]).sort()).toEqual(
      [
        [first.id, fee],
        [second.id, own(second)],
      ].sort(),
    )
    expect(await balance(customer)).toBe(funds)
    const [visit] = await visits(customer)
    expect(visit?.cancelledAt).not.toBeNull()
  })

  it('keeps its fee while a parcel that joined it is still fetched, on another pickup', async () => {
    const customer = await createRichCustomer()
    const { token } = customer
    const pickup = testPickup(test)
    const first = await pay(customer, await place(customer, pickup))
    const second = await pay(customer, await place(customer, pickup))
    const [visit] = await visits(customer)
    const body = { version: visit?.version ?? 0 }
    await test.call(cancelPickup, { token, params: { id: visit?.id ?? '' }, body })
    const again = { ...testPickup(test, { window: '12:00-15:00' }), parcelIds: ids(second) }
    expect((await test.call(bookPickup, { token, body: again })).status).toBe(200)

    const preview = await test.call(previewCancel, { token, body: { ids: ids(first) } })
    expect(preview.body).toMatchObject({ refundMinor: own(first), pickupMinor: 0, keptPickupMinor: fee })
    const refunds = async (order: OrderDetail) =>
      (await cancel(customer, ids(order))).body.refunds.map(({ orderId, amountMinor }) => [orderId, amountMinor])
    expect(await refunds(first)).toEqual([[first.id, own(first)]])
    expect((await refunds(second)).sort()).toEqual(
      [
        [first.id, fee],
        [second.id, own(second)],
      ].sort(),
    )
    expect(await balance(customer)).toBe(funds)
  })

  it('gives its fee back once, even if an order that joined it is paid and cancelled later', async () => {
    const customer = await createRichCustomer()
    const pickup = testPickup(test)
    const first = await pay(customer, await place(customer, pickup))
    const late = await place(customer, pickup)
    const form = await payAtGateway(test, customer, late)
    await cancel(customer, ids(first))
    expect(await balance(customer)).toBe(funds)
    await bank.pay(test, form.fields)
    const { body } = await cancel(customer, ids(late))
    expect(body.refunds.map(({ orderId, amountMinor }) => [orderId, amountMinor])).toEqual([[late.id, own(late)]])
  })

  it('refuses the payment of a second order, whose price now has the fee, after a cancellation', async () => {
    const customer = await createRichCustomer()
    const pickup = testPickup(test)
    const first = await pay(customer, await place(customer, pickup))
    const waiting = await place(customer, pickup)
    await cancel(customer, ids(first))
    const refused = await payCredits(test, customer, waiting)
    expect([refused.status, refused.error.code, refused.error.details]).toEqual([
      409,
      'price_changed',
      { expectedTotalMinor: waiting.totalMinor, totalMinor: waiting.totalMinor + fee },
    ])
    expect(await balance(customer)).toBe(funds)
    // The result is the same if the sender cancels the visit.
    const third = await pay(customer, await place(customer, pickup))
    const other = await place(customer, pickup)
    const visit = (await visits(customer)).find(({ number }) => number === third.pickup?.number)
    await test.call(cancelPickup, {
      token: customer.token,
      params: { id: visit?.id ?? '' },
      body: { version: visit?.version ?? 0 },
    })
    expect((await payCredits(test, customer, other)).error.code).toBe('price_changed')
  })

  it('is either joined, or the payment is refused, if a cancellation happens at the same time', async () => {
    for (let round = 0; round < 6; round += 1) {
      const customer = await createRichCustomer()
      const pickup = testPickup(test)
      const first = await pay(customer, await place(customer, pickup))
      const second = await place(customer, pickup)
      const [paid, cancelled] = await Promise.all([payCredits(test, customer, second), cancel(customer, ids(first))])
      expect(cancelled.status).toBe(200)
      const [visit] = await visits(customer)
      if (paid.status === 200) {
        expect(visit).toMatchObject({ parcelCount: 1, status: 'new', cancelledAt: null })
        const parcel = await test.call(getParcel, { token: customer.token, params: { id: ids(second)[0] ?? '' } })
        expect(parcel.body.status).toBe('pending_pickup')
      } else {
        expect([paid.error.code, visit?.parcelCount]).toEqual(['price_changed', 0])
      }
    }
  })

  it('accepts more parcels in a full window, which refuses new visits', async () => {
    const customer = await createRichCustomer()
    const pickup = testPickup(test, { window: '15:00-18:00' })
    const first = await pay(customer, await place(customer, pickup))
    const { db } = test.deps
    const visit = await db
      .selectFrom('pickup_requests')
      .select('station_id')
      .where('number', '=', first.pickup?.number ?? '')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('station_pickup_days')
      .values({
        station_id: visit.station_id ?? '',
        day: pickup.date,
        pickup_window: pickup.window,
        pickups: 1,
      })
      .execute()
    const getSlot = async ({ token }: TestCustomer, door: { line1?: string; line2?: string } = {}) => {
      const query = { postcode: '59100', country: 'my', ...door }
      const { items } = (await test.call(pickupSlots, { token, query })).body
      const slot = items.find(({ date, window }) => date === pickup.date && window === pickup.window)
      return [slot?.closed, slot?.visit]
    }
    expect(await getSlot(customer)).toEqual(['full', false])
    expect(await getSlot(customer, { line1: '12 jalan telawi', line2: 'Bangsar Baru' })).toEqual([null, true])
    expect(await getSlot(customer, { line1: '14 Jalan Telawi', line2: 'Bangsar Baru' })).toEqual(['full', false])
    const second = await pay(customer, await place(customer, pickup))
    expect(second.pickup?.number).toBe(first.pickup?.number)
    const stranger = await createCustomer(test)
    const theirs = await fillCart(test, stranger, 1, 'D2D')
    const refused = await test.call(createOrder, {
      token: stranger.token,
      body: {
        parcelIds: theirs.map(({ id }) => id),
        expectedTotalMinor: (await summary(stranger, theirs, pickup)).totalMinor,
        pickup,
      },
    })
    expect(refused.error.errors?.map(({ field }) => field)).toEqual(['pickup.window'])
  })

  it('can be joined by a payment at the gateway, which is refused after a cancellation', async () => {
    const customer = await createRichCustomer()
    const pickup = testPickup(test)
    const first = await pay(customer, await place(customer, pickup))
    const second = await place(customer, pickup)
    const form = await payAtGateway(test, customer, second)
    expect(form.fields.Amount).toBe((own(second) / 100).toFixed(2))
    const third = await place(customer, pickup)
    await cancel(customer, ids(first))
    await expect(payAtGateway(test, customer, third)).rejects.toThrow('price_changed')
  })

  it('is booked again without a fee if the bank receives the payment after a cancellation', async () => {
    const customer = await createRichCustomer()
    const pickup = testPickup(test)
    const first = await pay(customer, await place(customer, pickup))
    const second = await place(customer, pickup)
    const form = await payAtGateway(test, customer, second)
    await cancel(customer, ids(first))
    await bank.pay(test, form.fields)
    const paidOrder = (await test.call(getOrder, { token: customer.token, params: { id: second.id } })).body
    expect(paidOrder).toMatchObject({ status: 'pending', paidMinor: own(second) })
    const visit = (await visits(customer)).find(({ number }) => number === paidOrder.pickup?.number)
    expect(visit).toMatchObject({ parcelCount: 1, status: 'new', cancelledAt: null, orderId: second.id })
    // No fee was paid for this visit, so only the price of the parcel is refunded.
    const cancellation = await cancel(customer, ids(second))
    expect(cancellation.body.refunds.map(({ amountMinor }) => amountMinor)).toEqual([own(second)])
  })
})
