// Orders that arrive together share a statement (docs/decisions/0102-calls-in-groups.md).
import { createOrder, getOrder, listOrders, type OrderDetail } from '@waybill/contract/orders/orders'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { fillCart, quoteTotal } from '../testing/factories/orders.ts'

type Cart = { customer: TestCustomer; parcels: Parcel[]; totalMinor: number }

describe('orders that arrive together', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const createCart = async (count = 2): Promise<Cart> => {
    const customer = await createCustomer(test)
    const parcels = await fillCart(test, customer, count)
    return { customer, parcels, totalMinor: await quoteTotal(test, customer, parcels) }
  }

  const createCarts = async (count: number): Promise<Cart[]> => {
    const carts: Cart[] = []
    for (let n = 0; n < count; n += 1) carts.push(await createCart(1 + (n % 3)))
    return carts
  }

  const order = ({ customer, parcels, totalMinor }: Cart, key?: string) =>
    test.call(createOrder, {
      token: customer.token,
      body: { parcelIds: parcels.map(({ id }) => id), expectedTotalMinor: totalMinor, pickup: null },
      headers: key ? { 'idempotency-key': key } : {},
    })

  /** The response is what is stored, with the parcels of this customer only. */
  const expectStored = async ({ customer, parcels, totalMinor }: Cart, { id, ...answer }: OrderDetail) => {
    const { body } = await test.call(getOrder, { token: customer.token, params: { id } })
    expect(body).toEqual({ id, ...answer })
    expect(body).toMatchObject({ status: 'pending_payment', totalMinor, parcelCount: parcels.length })
    expect(body.parcels.map((parcel) => [parcel.id, parcel.orderId])).toEqual(
      parcels
        .map((parcel) => parcel.id)
        .sort()
        .map((parcelId) => [parcelId, id]),
    )
  }

  const readOrders = async (ids: readonly string[]) =>
    (
      await sql<{ id: string; number: string; transaction: string; buyer: { email: string }; terms_version: number }>`
        select id, number, xmin::text as transaction, buyer, terms_version
        from orders
        where id = any(${ids}::uuid[])`.execute(test.deps.db)
    ).rows

  it('share transactions; each has its own number, buyer, parcels and key', async () => {
    const carts = await createCarts(16)
    const answers = await Promise.all(carts.map((cart, n) => order(cart, `order-${n}-${cart.customer.accountId}`)))
    expect(answers.map(({ status }) => status)).toEqual(carts.map(() => 200))
    for (const [n, cart] of carts.entries()) await expectStored(cart, answers[n]?.body as OrderDetail)
    const rows = await readOrders(answers.map(({ body }) => body.id))
    expect(new Set(rows.map(({ number }) => number)).size).toBe(carts.length)
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBeLessThan(carts.length)
    for (const [n, { customer }] of carts.entries()) {
      const row = rows.find(({ id }) => id === answers[n]?.body.id)
      expect([row?.buyer.email, row?.terms_version]).toEqual([customer.email, rows[0]?.terms_version])
    }
    // The same requests again, also together: each key has its own response, and nothing is ordered twice.
    const again = await Promise.all(carts.map((cart, n) => order(cart, `order-${n}-${cart.customer.accountId}`)))
    expect(again.map(({ body }) => body)).toEqual(answers.map(({ body }) => body))
  })

  it('succeed although others have an old price, or parcels of a stranger, or none in the cart', async () => {
    const carts = await createCarts(6)
    const [oldPrice, foreign, ordered] = (await createCarts(3)) as [Cart, Cart, Cart]
    const [outdated, refused, first, second, ...answers] = await Promise.all([
      order({ ...oldPrice, totalMinor: oldPrice.totalMinor - 1 }),
      order({ ...foreign, parcels: oldPrice.parcels }),
      order(ordered),
      order(ordered),
      ...carts.map((cart) => order(cart)),
    ])
    expect([outdated?.error.code, refused?.error.code]).toEqual(['price_changed', 'not_found'])
    for (const [n, cart] of carts.entries()) await expectStored(cart, answers[n]?.body as OrderDetail)
    // Of two orders of the same parcels, the later one ends the other.
    expect([first?.status, second?.status]).toEqual([200, 200])
    const { body } = await test.call(listOrders, { token: ordered.customer.token })
    expect(body.items.map(({ status }) => status).sort()).toEqual(['cancel', 'pending_payment'])
    for (const { customer } of [oldPrice, foreign])
      expect((await test.call(listOrders, { token: customer.token })).body.total).toBe(0)
  })

  it('do not wait for a parcel that is locked, and do not order one that has left the cart meanwhile', async () => {
    const carts = await createCarts(10)
    // In the middle: the first of them runs alone.
    const locked = carts[5] as Cart
    let late: ReturnType<typeof order> | undefined
    await test.deps.db.transaction().execute(async (trx) => {
      const id = locked.parcels[0]?.id
      await sql`update parcels set status = 'pending', version = version + 1 where id = ${id}::uuid`.execute(trx)
      const orders = carts.map((cart) => order(cart))
      late = orders[5]
      const statuses: number[] = []
      for (const each of orders) void each.then(({ status }) => statuses.push(status))
      await expect.poll(() => statuses, { timeout: 8_000 }).toEqual(carts.slice(1).map(() => 200))
    })
    expect((await late)?.error.code).toBe('transition_forbidden')
    expect((await test.call(listOrders, { token: locked.customer.token })).body.total).toBe(0)
  })
})
