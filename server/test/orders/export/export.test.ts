import type { QueryIn } from '@waybill/contract/ground/endpoint'
import { exportOrders } from '@waybill/contract/orders/orders'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { readSheet } from '../../../src/lib/sheet/read.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createPayer } from '../../testing/factories/wallet.ts'

describe('the export of orders', () => {
  let test: TestApp
  let customer: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    customer = await createPayer(test)
  })

  const exportRows = async (query: QueryIn<typeof exportOrders> = {}, language = 'en', { token } = customer) => {
    const answer = await test.call(exportOrders, { token, query, language })
    expect(answer.status).toBe(200)
    const rows: unknown[][] = []
    for await (const { cells } of readSheet(answer.raw, { rows: 100_000, bytes: 100_000_000, ratio: 1_000 }))
      rows.push([...cells])
    return { rows, headers: answer.headers }
  }

  it('has a row for each order of the list, with money, tax, dates and labels', async () => {
    const paidOrder = await placeOrder(test, customer)
    await payCredits(test, customer, paidOrder)
    const open = await placeOrder(test, customer, { count: 2 })
    const { rows, headers } = await exportRows()
    expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="orders-\d{4}-\d{2}-\d{2}\.xlsx"$/)
    expect(rows[0]).toContain('Total (MYR)')
    const [first, second] = rows.slice(1) as [unknown[], unknown[]]
    expect(first[0]).toBe(open.number)
    expect(first[4]).toBe(2)
    expect(second.slice(0, 6)).toEqual([
      paidOrder.number,
      expect.anything(),
      expect.any(String),
      'ec',
      1,
      paidOrder.totalMinor / 100,
    ])
    expect(second[6]).toBeGreaterThan(0)
    expect(second[7]).toBe(paidOrder.totalMinor / 100)
    expect(second.slice(8, 10)).toEqual([0, 0])
    expect(second[11]).toMatch(/^INV-/)

    expect((await exportRows({ status: 'pending_payment' })).rows.map(([number]) => number)).toEqual([
      'Order',
      open.number,
    ])
    expect((await exportRows({ paymentMethod: 'express_credit' })).rows.slice(1).map(([number]) => number)).toEqual([
      paidOrder.number,
    ])
    expect((await exportRows({ paymentMethod: 'ec' })).rows).toEqual(
      (await exportRows({ paymentMethod: 'express_credit' })).rows,
    )
    expect((await exportRows({ paymentMethod: 'mb' })).rows).toHaveLength(1)
    expect((await exportRows({ to: '2020-01-01' })).rows).toHaveLength(1)
    const csv = await exportRows({ format: 'csv' }, 'zh')
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.rows[0]).toContain('合计（MYR）')
    expect(csv.rows).toHaveLength(3)
  })

  it('spans many batches without omissions, even if timestamps are equal', async () => {
    const other = await createCustomer(test)
    await sql`insert into orders (account_id, id, number, created_by, status, currency, total_minor, lines,
      parcel_count, created_at)
      select ${other.accountId}::uuid, gen_random_uuid(), 'X-' || n, ${other.userId}::uuid, 'cancel', 'MYR', n, '[]', 1,
        '2026-01-01'::timestamptz + (n / 700) * interval '1 microsecond'
      from generate_series(1, 4500) n`.execute(test.deps.db)
    const { rows } = await exportRows({}, 'en', other)
    expect(new Set(rows.slice(1).map(([number]) => number)).size).toBe(4500)
    expect(rows).toHaveLength(4501)
  })

  it('has nothing of another customer, and rejects invalid filters', async () => {
    const stranger = await createCustomer(test)
    expect((await exportRows({}, 'en', stranger)).rows).toHaveLength(1)
    const wrong = await test.call(exportOrders, {
      token: customer.token,
      query: { from: 'yesterday', status: 'lost' as never },
    })
    expect(wrong.status).toBe(422)
    expect(wrong.error.errors?.map(({ field }) => field).sort()).toEqual(['from', 'status'])
  })
})
