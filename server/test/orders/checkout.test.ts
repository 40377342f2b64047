import type { QueryIn } from '@waybill/contract/ground/endpoint'
import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import { createOrder, getInvoice, getOrder, listOrders, printInvoice } from '@waybill/contract/orders/orders'
import { getCart, takeOutOfCart } from '@waybill/contract/parcels/cart'
import { getParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import { priceSummary } from '@waybill/contract/pricing/pricing'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { tasks } from '../../src/jobs/tasks.ts'
import { minutes } from '../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { fillCart, payCredits, placeOrder, quoteTotal, testPickup } from '../testing/factories/orders.ts'
import { createParcel, testParty } from '../testing/factories/parcels.ts'
import { createPayer, fundWallet, setWalletPin } from '../testing/factories/wallet.ts'
import { queueBehind } from '../testing/lock-queue.ts'
import { withoutPickup } from '../testing/without-pickup.ts'

describe('creating an order', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  type Wanted = { expected?: number; pickup?: PickupChoice | null; key?: string }
  const order = async (customer: TestCustomer, parcels: readonly Pick<Parcel, 'id'>[], options: Wanted = {}) =>
    test.call(createOrder, {
      token: customer.token,
      headers: options.key ? { 'idempotency-key': options.key } : {},
      body: {
        parcelIds: parcels.map(({ id }) => id),
        expectedTotalMinor: options.expected ?? (await quoteTotal(test, customer, parcels as Parcel[])),
        pickup: options.pickup ?? null,
      },
    })
  const getStatus = async ({ token }: TestCustomer, { id }: { id: string }) =>
    (await test.call(getParcel, { token, params: { id } })).body.status
  const orderStatus = async ({ token }: TestCustomer, id: string) =>
    (await test.call(getOrder, { token, params: { id } })).body.status

  it('adds up the parcels, keeps them in the cart and returns the payment methods', async () => {
    const customer = await createCustomer(test)
    const parcels = await fillCart(test, customer, 3)
    const answer = await order(customer, parcels)
    expect(answer.status).toBe(200)
    const { body } = answer
    expect(body).toMatchObject({ status: 'pending_payment', paidMinor: 0, parcelCount: 3, invoiceNumber: null })
    expect(body.number).toMatch(/^ORD-\d{8}$/)
    expect(body.totalMinor).toBe(parcels.reduce((sum, { priceMinor }) => sum + (priceMinor ?? 0), 0))
    expect(body.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(body.totalMinor)
    expect(body.lines.find(({ kind }) => kind === 'freight')?.basis).toMatchObject({ parcels: 3 })
    expect(body.parcels.map(({ status, orderId }) => [status, orderId])).toEqual(parcels.map(() => ['incart', body.id]))
    expect(Object.fromEntries(body.methods.map(({ method, reason }) => [method, reason]))).toEqual({
      express_credit: null,
      ipay88: null,
      credit_card: null,
      store: null,
      monthly_billing: 'corporate_only',
    })
    // The response is built from the written values and must equal a later read.
    expect((await test.call(getOrder, { token: customer.token, params: { id: body.id } })).body).toEqual(body)
    const page = await test.call(listOrders, { token: customer.token, query: { search: body.number.slice(-6) } })
    expect(page.body).toMatchObject({ total: 1, items: [{ id: body.id }] })
  })

  it('lists orders newest first, sorted, filtered and found by number', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    const orders = []
    for (let n = 0; n < 3; n += 1) orders.push(await placeOrder(test, customer, { count: n + 1 }))
    const [first, second, third] = orders.map(({ number }) => number) as [string, string, string]
    const numbers = async (query: QueryIn<typeof listOrders>) =>
      (await test.call(listOrders, { token, query })).body.items.map(({ number }) => number)
    expect(await numbers({})).toEqual([third, second, first])
    expect(await numbers({ sort: '+number', limit: 2, offset: 1 })).toEqual([second, third])
    expect(await numbers({ sort: '-totalMinor' })).toEqual([third, second, first])
    expect(await numbers({ status: 'completed' })).toEqual([])
    expect(await numbers({ search: second.toLowerCase() })).toEqual([second])
    expect(await numbers({ search: String(Number(second.slice(4))) })).toEqual([second])
    expect(await numbers({ search: 'ord-' })).toEqual([third, second, first])
    expect(await numbers({ search: "' or 1=1 --" })).toEqual([])
    await setWalletPin(test, customer)
    await fundWallet(test, customer)
    await payCredits(test, customer, orders[0] as (typeof orders)[0])
    const [paid] = (await test.call(listOrders, { token, query: { status: 'pending' } })).body.items
    expect(await numbers({ search: paid?.invoiceNumber ?? '' })).toEqual([first])
    const stranger = await createCustomer(test)
    const foreign = await test.call(listOrders, { token: stranger.token, query: { search: second } })
    expect(foreign.body.total).toBe(0)
  })

  it('charges one pickup with its tax for all parcels that are picked up', async () => {
    const customer = await createCustomer(test)
    const parcels = await fillCart(test, customer, 2, 'D2D')
    const own = parcels.reduce((sum, parcel) => sum + withoutPickup(parcel), 0)
    const summary = await test.call(priceSummary, {
      token: customer.token,
      body: { parcelIds: parcels.map(({ id }) => id) },
    })
    // 2.00 and 6 % of it.
    expect(summary.body.totalMinor).toBe(own + 212)
    expect(summary.body.lines.find(({ kind }) => kind === 'pickup')).toMatchObject({ amountMinor: 200 })
    const answer = await order(customer, parcels, { pickup: testPickup(test) })
    expect(answer.body).toMatchObject({ totalMinor: own + 212, pickup: { window: '09:00-12:00', number: null } })
    const { body } = await test.call(getOrder, { token: customer.token, params: { id: answer.body.id } })
    expect(body).toEqual(answer.body)
  })

  it('sums up parcels without waiting for those who change them', async () => {
    const customer = await createCustomer(test)
    const parcels = await fillCart(test, customer, 2)
    await tx(test.deps.db, async (trx) => {
      await sql`select 1 from parcels where account_id = ${customer.accountId}::uuid for update`.execute(trx)
      expect(await quoteTotal(test, customer, parcels)).toBeGreaterThan(0)
    })
    const stranger = await createCustomer(test)
    const body = { parcelIds: parcels.map(({ id }) => id) }
    expect((await test.call(priceSummary, { token: stranger.token, body })).status).toBe(404)
  })

  it('requires a pickup that is possible', async () => {
    const customer = await createCustomer(test)
    const parcels = await fillCart(test, customer, 1, 'D2D')
    const getField = async (pickup: PickupChoice | null) => {
      const answer = await order(customer, parcels, { pickup })
      expect(answer.status).toBe(422)
      return answer.error.errors?.map(({ field }) => field)
    }
    expect(await getField(null)).toEqual(['pickup'])
    expect(await getField(testPickup(test, { date: '2020-01-01' }))).toEqual(['pickup.date'])
    expect(await getField(testPickup(test, { date: '2999-01-01' }))).toEqual(['pickup.date'])
    expect(await getField({ ...testPickup(test), window: '03:00-04:00' as never })).toEqual(['pickup.window'])
    expect(await getField(testPickup(test, { address: testParty({ postcode: '00001' }) }))).toEqual([
      'pickup.address.postcode',
    ])
    expect(await getStatus(customer, parcels[0] as Parcel)).toBe('incart')
  })

  it("accepts only parcels of one delivery mode that are in the customer's own cart", async () => {
    const [customer, other] = [await createCustomer(test), await createCustomer(test)]
    const [pickupCart, dropOffCart] = [
      await fillCart(test, customer, 1, 'D2D'),
      await fillCart(test, customer, 1, 'P2D'),
    ]
    const mixed = await order(customer, [...pickupCart, ...dropOffCart], { pickup: testPickup(test) })
    expect(mixed.error.code).toBe('mixed_tab')
    const strangerAnswer = await order(other, dropOffCart, { expected: 1 })
    expect(strangerAnswer.status).toBe(404)
    const refusal = await order(customer, [{ id: '0197b1a6-5b7e-7c3d-9a52-6f1d2c8e4b90' }], { expected: 1 })
    expect(refusal.status).toBe(404)
    const inboundParcel = await createParcel(test, customer, { status: 'inbound', delivery_mode: 'P2D' })
    const rejection = await order(customer, [inboundParcel], { expected: 1 })
    expect(rejection.error).toMatchObject({
      statusCode: 409,
      code: 'transition_forbidden',
      details: { status: 'inbound' },
    })
    const empty = await test.call(createOrder, {
      token: customer.token,
      body: { parcelIds: [], expectedTotalMinor: 1 },
    })
    expect(empty.error.errors?.[0]?.field).toBe('parcelIds')
  })

  it('rejects an outdated total and returns both totals; the cart then shows the new one', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    const parcels = await fillCart(test, customer, 2)
    const total = await quoteTotal(test, customer, parcels)
    // The price that was frozen when the parcel was put into the cart is no longer the current price.
    await sql`update parcels set price = jsonb_set(price, '{totalMinor}', '1'), price_minor = 1
      where account_id = ${customer.accountId}::uuid`.execute(test.deps.db)
    const refused = await order(customer, parcels, { expected: 2 })
    expect(refused.error).toMatchObject({
      statusCode: 409,
      code: 'price_changed',
      details: { expectedTotalMinor: 2, totalMinor: total },
    })
    const cart = await test.call(getCart, { token, query: { tab: 'dropoff' } })
    expect(cart.body.items.reduce((sum, { priceMinor }) => sum + (priceMinor ?? 0), 0)).toBe(total)
    expect((await test.call(listOrders, { token })).body.total).toBe(0)
    expect((await order(customer, parcels, { expected: total })).status).toBe(200)
  })

  it('cancels an older unpaid order with the same parcels and releases its other parcels', async () => {
    const customer = await createCustomer(test)
    const parcels = await fillCart(test, customer, 3)
    const first = (await order(customer, parcels)).body
    const second = (await order(customer, parcels.slice(0, 1))).body
    expect(await orderStatus(customer, first.id)).toBe('cancel')
    expect(await orderStatus(customer, second.id)).toBe('pending_payment')
    const third = await order(customer, parcels.slice(1))
    expect(third.status).toBe(200)
    expect(await orderStatus(customer, second.id)).toBe('pending_payment')
    await setWalletPin(test, customer)
    await fundWallet(test, customer)
    expect((await payCredits(test, customer, first)).error.code).toBe('order_closed')
  })

  it('cancels the order of another device that took the same parcels concurrently', async () => {
    const customer = await createCustomer(test)
    const parcels = await fillCart(test, customer, 2)
    const [a, b] = parcels as [Parcel, Parcel]
    const [expected, priceOfOne] = [await quoteTotal(test, customer, parcels), await quoteTotal(test, customer, [a])]
    // Both read that no unpaid order has these parcels before the first of them gets the locks.
    const [first, second] = await queueBehind(
      test,
      sql`select 1 from parcels where id = ${a.id}::uuid for update`,
      () => order(customer, parcels, { expected }),
      () => order(customer, [a], { expected: priceOfOne }),
    )
    expect([first.status, second.status]).toEqual([200, 200])
    await test.settle()
    expect(await orderStatus(customer, first.body.id)).toBe('cancel')
    expect(await orderStatus(customer, second.body.id)).toBe('pending_payment')
    const parcel = async ({ id }: Parcel) =>
      (await test.call(getParcel, { token: customer.token, params: { id } })).body.orderId
    expect([await parcel(a), await parcel(b)]).toEqual([second.body.id, null])
  })

  it('returns the same response for the same key, and 409 for the key with another body', async () => {
    const customer = await createCustomer(test)
    const parcels = await fillCart(test, customer, 2)
    const key = 'order-0001-twice'
    const [one, two] = await Promise.all([order(customer, parcels, { key }), order(customer, parcels, { key })])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(two.body.id).toBe(one.body.id)
    expect((await order(customer, parcels, { key })).body.id).toBe(one.body.id)
    const other = await order(customer, parcels.slice(0, 1), { key })
    expect(other.error).toMatchObject({ statusCode: 409, code: 'idempotency_conflict' })
    expect((await test.call(listOrders, { token: customer.token })).body.total).toBe(1)
  })

  it('returns 404 to another customer, and shows a member only their own orders', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const created = await placeOrder(test, owner)
    const stranger = await createCustomer(test)
    const member = await createMember(test, owner, ['parcels.create', 'pay'])
    for (const { token } of [stranger, member]) {
      for (const endpoint of [getOrder, getInvoice, printInvoice]) {
        expect((await test.call(endpoint, { token, params: { id: created.id } })).status).toBe(404)
      }
      expect((await test.call(listOrders, { token })).body.total).toBe(0)
    }
    const own = await placeOrder(test, member)
    expect((await test.call(listOrders, { token: owner.token })).body.total).toBe(2)
    expect((await test.call(getOrder, { token: member.token, params: { id: own.id } })).status).toBe(200)
    const watcher = await createCustomer(test, { userType: 'corporate', accountId: owner.accountId, isOwner: false })
    expect((await order(watcher, [], { expected: 0 })).status).toBe(403)
  })

  it('expires after half an hour and releases the parcels', async () => {
    const customer = await createPayer(test)
    const created = await placeOrder(test, customer)
    await sql`update orders set expires_at = ${new Date(test.clock.now().getTime() - 1)}
      where id = ${created.id}::uuid`.execute(test.deps.db)
    expect((await payCredits(test, customer, created)).error).toMatchObject({ statusCode: 409, code: 'order_expired' })
    await tasks['orders:expire']?.(test.deps, {})
    expect(await orderStatus(customer, created.id)).toBe('cancel')
    const [parcel] = created.parcels as [Parcel]
    const free = (await test.call(getParcel, { token: customer.token, params: { id: parcel.id } })).body
    expect(free).toMatchObject({ status: 'incart', orderId: null })
    expect((await order(customer, [parcel])).status).toBe(200)
  })

  it('sets the expiry to half an hour', async () => {
    const order = await placeOrder(test, await createCustomer(test))
    const remainderMs = Date.parse(order.expiresAt ?? '') - Date.parse(order.createdAt)
    expect(remainderMs).toBe(minutes(30))
  })

  it('refuses payment once a parcel has been removed', async () => {
    const customer = await createPayer(test)
    const order = await placeOrder(test, customer, { count: 2, mode: 'P2D' satisfies DeliveryMode })
    await test.call(takeOutOfCart, { token: customer.token, body: { ids: [order.parcels[0]?.id ?? ''] } })
    expect((await payCredits(test, customer, order)).error.code).toBe('order_closed')
  })
})
