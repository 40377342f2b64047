import { getInvoice, getOrder } from '@waybill/contract/orders/orders'
import { changeService, getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { createParcel, getParcel, getParcels, type Parcel } from '@waybill/contract/parcels/parcels'
import { type PriceBreakdown, type PriceLine, priceServices, priceSummary } from '@waybill/contract/pricing/pricing'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { addPickupShare, pickupShare } from '../../src/domains/pricing/rules.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { orderParcels, payCredits, testPickup } from '../testing/factories/orders.ts'
import { testParty, testReceiver } from '../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../testing/factories/wallet.ts'
import { workingDay } from '../testing/factories/working-day.ts'

/** The sums of price lines by kind. */
function byKind(lines: readonly Pick<PriceLine, 'kind' | 'amountMinor'>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { kind, amountMinor } of lines) sums[kind] = (sums[kind] ?? 0) + amountMinor
  return sums
}
const getLines = (parcels: readonly Pick<Parcel, 'price'>[]) =>
  byKind(parcels.flatMap(({ price }) => price?.lines ?? []))
const sumPrices = (parcels: readonly Pick<Parcel, 'priceMinor'>[]) =>
  parcels.reduce((sum, { priceMinor }) => sum + (priceMinor ?? 0), 0)

const goods = fc.record({
  serviceType: fc.constantFrom('e_parcel' as const, 'semi_express' as const),
  weightGrams: fc.integer({ min: 100, max: 9000 }),
  declaredValueMinor: fc.constantFrom(null, 20_000, 45_000),
  codAmountMinor: fc.constantFrom(null, 7775),
})
type Goods = typeof goods extends fc.Arbitrary<infer T> ? T : never

describe('one price', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const bodyFor = ({ declaredValueMinor, ...goods }: Goods, deliveryMode: 'D2D' | 'P2D') => ({
    ...goods,
    declaredValueMinor,
    insuredValueMinor: declaredValueMinor,
    deliveryMode,
    sender: testParty(),
    receiver: testReceiver(),
    contentType: 'clothing' as const,
    dimensions: { lengthMm: 300, widthMm: 200, heightMm: 100 },
    addToCart: true,
  })

  const add = async ({ token }: TestCustomer, goods: Goods, mode: 'D2D' | 'P2D'): Promise<Parcel> => {
    const answer = await test.call(createParcel, { token, body: bodyFor(goods, mode) })
    expect(answer.status).toBe(200)
    return answer.body
  }

  const cartPrices = async ({ token }: TestCustomer, parcels: readonly Parcel[]) => {
    const { items } = (await test.call(getCart, { token, query: { tab: 'pickup' } })).body
    return parcels.map(({ id }) => items.find((row) => row.id === id)?.priceMinor)
  }

  it('is the same in parcel, list, cart, summary, order and invoice, line by line', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(goods, { minLength: 1, maxLength: 7 }),
        fc.constantFrom('D2D' as const, 'P2D' as const),
        async (all, mode) => {
          const customer = await createCustomer(test)
          const { token } = customer
          await fundWallet(test, customer, 1_000_000)
          await setWalletPin(test, customer)
          const parcels: Parcel[] = []
          for (const goods of all) parcels.push(await add(customer, goods, mode))

          const tab = mode === 'D2D' ? ('pickup' as const) : ('dropoff' as const)
          const inCart = (await test.call(getCart, { token, query: { tab } })).body.items
          const summary = (await test.call(priceSummary, { token, body: { parcelIds: parcels.map(({ id }) => id) } }))
            .body
          const listed = (await test.call(listParcels, { token, query: {} })).body.items
          const single = await Promise.all(
            parcels.map(async ({ id }) => (await test.call(getParcel, { token, params: { id } })).body),
          )
          for (const list of [inCart, listed, single]) {
            expect(getLines(list)).toEqual(byKind(summary.lines))
            expect(sumPrices(list)).toBe(summary.totalMinor)
            for (const { id, totalMinor } of summary.parcels)
              expect(list.find((parcel) => parcel.id === id)?.priceMinor).toBe(totalMinor)
          }

          const order = await orderParcels(test, customer, parcels, mode)
          expect(order.lines).toEqual(summary.lines)
          expect(order.totalMinor).toBe(summary.totalMinor)
          expect(getLines(order.parcels)).toEqual(byKind(summary.lines))
          expect((await payCredits(test, customer, order)).status).toBe(200)
          const paidOrder = (await test.call(getOrder, { token, params: { id: order.id } })).body
          expect(getLines(paidOrder.parcels)).toEqual(byKind(summary.lines))
          const invoice = (await test.call(getInvoice, { token, params: { id: order.id } })).body
          expect(invoice.lines.map(({ amountMinor }) => amountMinor)).toEqual(
            order.lines.filter(({ kind }) => kind !== 'tax').map(({ amountMinor }) => amountMinor),
          )
          expect([invoice.taxMinor, invoice.totalMinor]).toEqual([byKind(order.lines).tax, order.totalMinor])
          for (const { id, priceMinor } of order.parcels)
            expect((await test.call(getParcel, { token, params: { id } })).body.priceMinor).toBe(priceMinor)
        },
      ),
      { numRuns: 8 },
    )
  })

  it('equals the offer for a parcel that is picked up alone', async () => {
    const customer = await createCustomer(test)
    const goods: Goods = { serviceType: 'e_parcel', weightGrams: 1300, declaredValueMinor: null, codAmountMinor: null }
    const { sender, receiver, dimensions } = bodyFor(goods, 'D2D')
    const offered = await test.call(priceServices, {
      body: {
        serviceType: 'e_parcel',
        sender: { postcode: sender.postcode },
        receiver: { postcode: receiver.postcode },
        weightGrams: goods.weightGrams,
        dimensions,
      },
    })
    const [quote] = offered.body.items
    const parcel = await add(customer, goods, 'D2D')
    expect(parcel.priceMinor).toBe(quote?.price?.totalMinor)
    expect(parcel.price?.lines).toEqual(quote?.price?.lines)
    const order = await orderParcels(test, customer, [parcel], 'D2D')
    expect(byKind(order.lines)).toEqual(byKind(quote?.price?.lines ?? []))
    expect(order.totalMinor).toBe(quote?.price?.totalMinor)
  })

  it('shares the pickup of a partial checkout among its parcels, and the rest of the cart separately', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    const goods: Goods = { serviceType: 'e_parcel', weightGrams: 1300, declaredValueMinor: null, codAmountMinor: null }
    const [first, second, third] = [
      await add(customer, goods, 'D2D'),
      await add(customer, goods, 'D2D'),
      await add(customer, goods, 'D2D'),
    ]
    const price = async ({ id }: Parcel) => (await test.call(getParcel, { token, params: { id } })).body.priceMinor ?? 0
    const own = (first.priceMinor ?? 0) - 212
    expect(await Promise.all([first, second, third].map(price))).toEqual([own + 71, own + 71, own + 70])
    const order = await orderParcels(test, customer, [first], 'D2D')
    expect([order.totalMinor, await price(first)]).toEqual([own + 212, own + 212])
    expect(await Promise.all([second, third].map(price))).toEqual([own + 106, own + 106])
    expect(await cartPrices(customer, [first, second, third])).toEqual([own + 212, own + 106, own + 106])
  })

  const plainGoods: Goods = {
    serviceType: 'e_parcel',
    weightGrams: 1300,
    declaredValueMinor: null,
    codAmountMinor: null,
  }

  /** A customer with a booked visit at the senders' address, and the price of one more parcel without a fee. */
  const createVisited = async (pickup = testPickup(test)) => {
    const customer = await createCustomer(test)
    await fundWallet(test, customer, 100_000)
    await setWalletPin(test, customer)
    const booked = await orderParcels(test, customer, [await add(customer, plainGoods, 'D2D')], 'D2D', pickup)
    expect((await payCredits(test, customer, booked)).status).toBe(200)
    return { customer, own: booked.totalMinor - 212 }
  }

  /** The price of a parcel of the cart on every screen and in every answer that has one before its checkout. */
  const shownPrices = async ({ token }: TestCustomer, { id, version }: Parcel) => {
    const isSame = (parcel: { id: string }) => parcel.id === id
    const query = { tab: 'pickup' as const }
    return {
      cart: (await test.call(getCart, { token, query })).body.items.find(isSame)?.priceMinor,
      list: (await test.call(listParcels, { token, query: {} })).body.items.find(isSame)?.priceMinor,
      page: (await test.call(getParcel, { token, params: { id } })).body.priceMinor,
      several: (await test.call(getParcels, { token, params: { ids: id } })).body.items[0]?.priceMinor,
      change: (await test.call(changeService, { token, params: { id }, body: { version, serviceType: 'e_parcel' } }))
        .body.priceMinor,
      summary: (await test.call(priceSummary, { token, body: { parcelIds: [id] } })).body.totalMinor,
    }
  }

  it('has no pickup fee anywhere while the cart proposes a booked visit, and is paid like that', async () => {
    const { customer, own } = await createVisited()
    const parcel = await add(customer, plainGoods, 'D2D')
    const prices = await shownPrices(customer, parcel)
    expect(new Set([parcel.priceMinor, ...Object.values(prices)])).toEqual(new Set([own]))
    const order = await orderParcels(test, customer, [parcel], 'D2D')
    expect([order.totalMinor, order.parcels[0]?.priceMinor]).toEqual([own, own])
    const other = await add(customer, plainGoods, 'D2D')
    expect(await cartPrices(customer, [parcel, other])).toEqual([own, own])
  })

  it('has the fee everywhere if the booked visit is at another address, or can no longer be joined', async () => {
    const elsewhere = await createVisited({ ...testPickup(test), address: testParty({ line1: '14 Jalan Telawi' }) })
    const started = await createVisited()
    await test.deps.db
      .updateTable('pickup_requests')
      .set({ started_at: test.deps.clock.now() })
      .where('account_id', '=', started.customer.accountId)
      .execute()
    const far = await createVisited(testPickup(test, { date: workingDay(test, 7) }))
    for (const { customer, own } of [elsewhere, started, far]) {
      const parcel = await add(customer, plainGoods, 'D2D')
      const prices = await shownPrices(customer, parcel)
      expect(new Set([parcel.priceMinor, ...Object.values(prices)])).toEqual(new Set([own + 212]))
    }
  })

  it('is for a pickup at the sender of the newest parcel of the cart, as the cart proposes it', async () => {
    const { customer, own } = await createVisited()
    const first = await add(customer, plainGoods, 'D2D')
    const answer = await test.call(createParcel, {
      token: customer.token,
      body: { ...bodyFor(plainGoods, 'D2D'), sender: testParty({ line1: '14 Jalan Telawi' }) },
    })
    const ids = [first, answer.body]
    expect(await cartPrices(customer, ids)).toEqual([own + 106, own + 106])
    const parcelIds = ids.map(({ id }) => id)
    const { token } = customer
    expect((await test.call(priceSummary, { token, body: { parcelIds } })).body.totalMinor).toBe(2 * own + 212)
  })
})

describe('the share of a pickup fee', () => {
  const pickup = (fee: number, tax: number): PriceLine[] => [
    { kind: 'pickup', amountMinor: fee, basis: {} },
    { kind: 'tax', amountMinor: tax, basis: {} },
  ]

  it('adds up to the fee and to its tax, and differs by at most one minor unit', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(10_000), fc.integer({ min: 1, max: 500 }), (fee, tax, count) => {
        const shares = Array.from({ length: count }, (_, n) => pickupShare(pickup(fee, tax), n, count))
        const whole = shares.map(({ feeMinor, taxMinor }) => feeMinor + taxMinor)
        expect(shares.reduce((sum, { feeMinor }) => sum + feeMinor, 0)).toBe(fee)
        expect(whole.reduce((sum, minor) => sum + minor, 0)).toBe(fee + tax)
        expect(Math.max(...whole) - Math.min(...whole)).toBeLessThanOrEqual(1)
        expect(Math.min(...shares.flatMap(({ feeMinor, taxMinor }) => [feeMinor, taxMinor]))).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('is a line of the price, and its tax is part of the tax line', () => {
    const price: PriceBreakdown = {
      currency: 'MYR',
      weightGrams: 1000,
      volumetricGrams: 0,
      chargeableGrams: 1000,
      divisor: 5000,
      rateCard: { code: 'STANDARD', version: 1 },
      originZone: 'KV',
      destinationZone: 'KV',
      lines: [
        { kind: 'freight', amountMinor: 600, basis: {} },
        { kind: 'tax', amountMinor: 36, basis: { basisPoints: 600 } },
      ],
      totalMinor: 636,
    }
    expect(addPickupShare(price, { feeMinor: 200, taxMinor: 12 })).toMatchObject({
      totalMinor: 848,
      lines: [
        { kind: 'freight', amountMinor: 600 },
        { kind: 'pickup', amountMinor: 200 },
        { kind: 'tax', amountMinor: 48, basis: { basisPoints: 600 } },
      ],
    })
    expect(addPickupShare(price, { feeMinor: 0, taxMinor: 0 })).toBe(price)
  })
})
