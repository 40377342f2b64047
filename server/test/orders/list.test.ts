import type { QueryIn } from '@waybill/contract/ground/endpoint'
import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { orderStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { countLimit } from '@waybill/contract/ground/paging'
import { listOrders } from '@waybill/contract/orders/orders'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'

const rows = 180
const statuses = labelValues(orderStatusLabels)
const methods = labelValues(paymentMethodLabels)

type OrderFact = { id: string; status: string; method: string | null; total: number; at: number }

describe('the list of orders', () => {
  let test: TestApp
  let owner: TestCustomer
  let orders: OrderFact[]
  let insert: (account: TestCustomer, firstNumber: number, count: number) => Promise<OrderFact[]>
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test)
    const stranger = await createCustomer(test)
    insert = async (account, firstNumber, count) =>
      (
        await sql<OrderFact>`insert into orders (account_id, id, number, created_by, status, currency, total_minor,
          payment_method, lines, parcel_count, created_at)
          select ${account.accountId}::uuid, gen_random_uuid(), 'ORD-' || ${firstNumber}::int + n,
            ${account.userId}::uuid,
            (${sql.val([...statuses])}::text[])[1 + n % ${statuses.length}::int], 'MYR', 500 + n / 9 % 4 * 100,
            (${sql.val([...methods])}::text[])[1 + n / 2 % ${methods.length + 1}::int], '[]', 1,
            now() - n / 2 * interval '1 hour'
          from generate_series(1, ${count}::int) n
          returning id, status, payment_method as method, total_minor as total,
            (extract(epoch from created_at) * 1000000)::bigint as at`.execute(test.deps.db)
      ).rows
    orders = await insert(owner, 90_000_000, rows)
    await insert(stranger, 90_001_000, 30)
  })

  const readAllPages = async (query: QueryIn<typeof listOrders>) => {
    const ids: string[] = []
    for (;;) {
      const { body } = await test.call(listOrders, {
        token: owner.token,
        query: { ...query, offset: ids.length, limit: 25 },
      })
      ids.push(...body.items.map(({ id }) => id))
      if (body.items.length < 25) return { ids, total: body.total }
    }
  }
  const newestFirst = (a: OrderFact, b: OrderFact) => b.at - a.at || (a.id < b.id ? 1 : -1)

  it('filters by status and payment method, alone and combined, without gaps or repeats between pages', async () => {
    const some = { status: 'completed', paymentMethod: 'store' } as const
    for (const query of [{}, { status: some.status }, { paymentMethod: some.paymentMethod }, some]) {
      const { status, paymentMethod } = query as Partial<typeof some>
      const fit = orders.filter(
        (order) => (!status || order.status === status) && (!paymentMethod || order.method === paymentMethod),
      )
      expect({ query, ...(await readAllPages(query)) }).toEqual({
        query,
        ids: fit.sort(newestFirst).map(({ id }) => id),
        total: fit.length,
      })
    }
  })

  it('counts every status of the orders that all other filters select', async () => {
    const count = (matches: (order: OrderFact) => boolean) =>
      Object.fromEntries(
        [...Map.groupBy(orders.filter(matches), ({ status }) => status)].map(([status, { length }]) => [
          status,
          length,
        ]),
      )
    const read = async (query: QueryIn<typeof listOrders>) =>
      (await test.call(listOrders, { token: owner.token, query })).body.counts
    expect(await read({})).toEqual(count(() => true))
    // The tabs keep the counts of the others.
    expect(await read({ status: 'completed' })).toEqual(count(() => true))
    expect(await read({ paymentMethod: 'store', status: 'refunded' })).toEqual(
      count(({ method }) => method === 'store'),
    )
    expect(await read({ payable: 'true' })).toEqual(count(({ status }) => status === 'pending_payment'))
    const [order] = (await test.call(listOrders, { token: owner.token, query: { search: 'ORD-90000007' } })).body.items
    expect(await read({ search: 'ORD-90000007' })).toEqual(count(({ id }) => id === order?.id))
  })

  it('does not count the statuses of more orders than a list counts', async () => {
    const large = await createCustomer(test)
    await insert(large, 91_000_000, countLimit)
    const read = async () => (await test.call(listOrders, { token: large.token, query: {} })).body
    expect(Object.values((await read()).counts ?? {}).reduce((sum, count) => sum + count, 0)).toBe(countLimit)
    await insert(large, 91_100_000, 1)
    expect(await read()).toMatchObject({ total: countLimit, counts: null })
  })

  it('sorts by total in both directions, for any status, and by number', async () => {
    const byTotal = [...orders].sort((a, b) => b.total - a.total || newestFirst(a, b))
    expect((await readAllPages({ sort: '-totalMinor' })).ids).toEqual(byTotal.map(({ id }) => id))
    expect((await readAllPages({ sort: '+totalMinor' })).ids).toEqual(byTotal.map(({ id }) => id).reverse())
    const completed = byTotal.filter(({ status }) => status === 'completed')
    expect((await readAllPages({ sort: '-totalMinor', status: 'completed' })).ids).toEqual(
      completed.map(({ id }) => id),
    )
    const mixed = [...orders].sort((a, b) => a.total - b.total || newestFirst(a, b))
    expect((await readAllPages({ sort: '+totalMinor,-createdAt' })).ids).toEqual(mixed.map(({ id }) => id))
    expect((await readAllPages({ sort: '+createdAt' })).ids).toEqual(
      [...orders]
        .sort(newestFirst)
        .reverse()
        .map(({ id }) => id),
    )
  })
  it('finds orders by a prefix of their number, and none if any other character follows it', async () => {
    const countOrders = async (search: string) => (await readAllPages({ search })).total
    expect(await countOrders('ord-90000007')).toBe(1)
    expect(await countOrders('90000007')).toBe(1)
    expect(await countOrders('ORD-9000001')).toBe(10)
    expect(await countOrders('ORD-90001007')).toBe(0)
    for (const search of ["ORD-'", "ORD-9' or true --", 'ORD-%', "INV-2026-'", 'ORD-\\', 'ORDER']) {
      expect({ search, total: await countOrders(search) }).toEqual({ search, total: 0 })
    }
  })
})
