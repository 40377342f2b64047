import type { QueryIn } from '@waybill/contract/ground/endpoint'
import { cancelOrder } from '@waybill/contract/orders/refunds'
import { exportOrderReport, printOrderReport, reportOrders } from '@waybill/contract/reports/orders'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { readSheet } from '../../../src/lib/sheet/read.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { orderNow, payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { openPaper } from '../../testing/paper.ts'

const zone = 'Asia/Kuala_Lumpur'

describe('the report of orders', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const read = async ({ token }: TestCustomer, query: QueryIn<typeof reportOrders> = {}) => {
    const { status, body } = await test.call(reportOrders, { token, query })
    expect(status).toBe(200)
    return body
  }
  const readRows = async ({ token }: TestCustomer, query: QueryIn<typeof exportOrderReport> = {}, language = 'en') => {
    const answer = await test.call(exportOrderReport, { token, query, language })
    expect(answer.status).toBe(200)
    const rows: unknown[][] = []
    for await (const { cells } of readSheet(answer.raw, { rows: 100_000, bytes: 100_000_000, ratio: 1_000 }))
      rows.push([...cells])
    return { rows, headers: answer.headers }
  }
  const readPaper = async ({ token }: TestCustomer, query: QueryIn<typeof printOrderReport> = {}, language = 'en') => {
    const answer = await test.call(printOrderReport, { token, query, language })
    expect(answer.status).toBe(200)
    return { pages: (await openPaper(answer.raw)).pages, headers: answer.headers }
  }
  /** Inserts orders directly into the database. Each group of 700 has the same timestamp. */
  const insertOrders = (owner: TestCustomer, count: number, at: string, totalMinor = 100) =>
    sql`insert into orders (account_id, id, number, created_by, status, currency, total_minor, paid_minor, lines,
      parcel_count, created_at)
      select ${owner.accountId}::uuid, gen_random_uuid(), 'R-' || ${newId()}::text || n, ${owner.userId}::uuid,
        'completed', 'MYR', ${totalMinor}::bigint, ${totalMinor}::bigint,
        '[{"kind":"freight","amountMinor":100,"basis":{"serviceCode":"own.semi_express.D2D"}}]', 2,
        ${at}::timestamptz + (n / 700) * interval '1 microsecond'
      from generate_series(1, ${count}::int) n`.execute(test.deps.db)

  it('has the totals and figures of the orders: paid, open and refunded', async () => {
    const customer = await createPayer(test)
    const paid = await placeOrder(test, customer, { count: 2 })
    await payCredits(test, customer, paid)
    const open = await placeOrder(test, customer)
    const cancelled = await placeOrder(test, customer)
    await payCredits(test, customer, cancelled)
    const refund = { reason: 'changed my mind', refundTo: 'wallet' as const }
    await test.call(cancelOrder, { token: customer.token, params: { id: cancelled.id }, body: refund })
    const orders = await Promise.all([cancelled, open, paid].map((order) => orderNow(test, customer, order)))
    const sum = (of: (order: (typeof orders)[number]) => number) => orders.reduce((all, each) => all + of(each), 0)

    const report = await read(customer)
    expect(report.items.map(({ number }) => number)).toEqual(orders.map(({ number }) => number))
    expect(report.totals).toEqual({
      orders: 3,
      parcels: 4,
      totalMinor: sum(({ totalMinor }) => totalMinor),
      paidMinor: sum(({ paidMinor }) => paidMinor),
      refundedMinor: sum(({ refundedMinor }) => refundedMinor),
      spentMinor: paid.totalMinor,
    })
    expect(report.totals.refundedMinor).toBe(cancelled.totalMinor)
    expect(report.currency).toBe('MYR')
    expect(report.users).toEqual([
      { id: customer.userId, name: expect.any(String), costCentre: null, ...report.totals },
    ])

    // Twelve months, of which the last has all orders.
    const today = dayIn(test.clock.now(), zone)
    expect([report.step, report.to, report.figures.length]).toEqual(['month', today, 12])
    expect(report.figures.at(-1)).toEqual({ start: `${today.slice(0, 7)}-01`, ...report.totals })
    expect(report.figures.slice(0, -1).every(({ orders: count }) => count === 0)).toBe(true)

    const byDay = await read(customer, { from: today, to: today })
    expect([byDay.step, byDay.figures]).toEqual(['day', [{ start: today, ...report.totals }]])

    const only = async (query: QueryIn<typeof reportOrders>) => (await read(customer, query)).items.map(({ id }) => id)
    expect(await only({ status: 'pending_payment' })).toEqual([open.id])
    expect(await only({ paymentMethod: 'ec', status: 'pending' })).toEqual([paid.id])
    expect(await only({ serviceType: 'e_parcel' })).toHaveLength(3)
    expect(await only({ serviceType: 'semi_express' })).toEqual([])
    expect(await only({ createdBy: customer.userId })).toHaveLength(3)
  })

  it('counts an order on its day in the time zone of the deployment, and pages without gaps', async () => {
    const customer = await createCustomer(test)
    // Half past midnight of 1 March in Kuala Lumpur is still February in UTC.
    await insertOrders(customer, 1, '2026-02-28T16:30:00Z', 700)
    await insertOrders(customer, 1, '2026-02-28T15:30:00Z', 300)
    const march = await read(customer, { from: '2026-03-01', to: '2026-03-31' })
    expect(march.totals).toMatchObject({ orders: 1, parcels: 2, spentMinor: 700 })
    expect(march.figures).toHaveLength(31)
    expect(march.figures[0]).toMatchObject({ start: '2026-03-01', spentMinor: 700 })
    const year = await read(customer, { from: '2026-01-15', to: '2026-12-31', serviceType: 'semi_express' })
    expect(year.figures.slice(0, 4).map(({ start, spentMinor }) => [start, spentMinor])).toEqual([
      ['2026-01-01', 0],
      ['2026-02-01', 300],
      ['2026-03-01', 700],
      ['2026-04-01', 0],
    ])

    const many = await createCustomer(test)
    await insertOrders(many, 450, '2026-03-05T00:00:00Z')
    const query = { from: '2026-03-01', to: '2026-03-31', limit: 200 }
    const numbers: string[] = []
    let page = await read(many, query)
    const first = page
    numbers.push(...page.items.map(({ number }) => number))
    while (page.next !== null) {
      page = await read(many, { ...query, after: page.next })
      expect(page.total).toBe(450)
      numbers.push(...page.items.map(({ number }) => number))
    }
    expect([numbers.length, new Set(numbers).size]).toEqual([450, 450])
    const back = await read(many, { ...query, before: page.previous ?? '' })
    expect(back.items.map(({ number }) => number)).toEqual(numbers.slice(200, 400))
    expect(first.previous).toBeNull()
  })

  it('prints and exports every order with the same totals', async () => {
    const customer = await createPayer(test)
    const order = await placeOrder(test, customer, { count: 3 })
    await payCredits(test, customer, order)
    const open = await placeOrder(test, customer)
    const { totals } = await read(customer)
    const { rows, headers } = await readRows(customer)
    expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="orders-[\d-]{10}-[\d-]{10}\.xlsx"$/)
    expect(rows.slice(1, -1).map(([number]) => number)).toEqual([open.number, order.number])
    expect(rows.at(-1)).toEqual([
      'Totals',
      ...Array(5).fill(expect.toSatisfy((cell: unknown) => !cell)),
      4,
      totals.totalMinor / 100,
      totals.paidMinor / 100,
      0,
      totals.spentMinor / 100,
    ])
    const csv = await readRows(customer, { format: 'csv', status: 'pending_payment' }, 'zh')
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.rows.map(([number]) => number)).toEqual(['订单', open.number, '合计'])

    const paper = await readPaper(customer, { paymentMethod: 'ec' })
    expect(paper.headers['content-type']).toBe('application/pdf')
    const text = paper.pages.map((page) => page.text).join(' ')
    expect(text).toContain(order.number)
    expect(text).not.toContain(open.number)
    expect(text).toContain((order.totalMinor / 100).toFixed(2))
    expect((await readPaper(customer, {}, 'zh')).pages[0]?.text).toContain('订单报表')
  })

  it('exports more than one batch without omissions', async () => {
    const customer = await createCustomer(test)
    await insertOrders(customer, 4_500, '2026-01-01T00:00:00Z')
    const { rows } = await readRows(customer, { from: '2026-01-01', to: '2026-01-31' })
    expect(new Set(rows.slice(1, -1).map(([number]) => number)).size).toBe(4_500)
    expect(rows.at(-1)?.slice(6)).toEqual([9_000, 4_500, 4_500, 0, 4_500])
  })

  it('rejects a period of more than a year and one that ends before it begins, with the fields named', async () => {
    const { token } = await createCustomer(test)
    const refusals: [QueryIn<typeof reportOrders>, string[]][] = [
      [{ from: '2016-01-01', to: '2026-01-01' }, ['from']],
      [{ from: '0001-01-01' }, ['from']],
      [{ from: '2025-01-01', to: '2026-01-02' }, ['from']],
      [{ from: '2026-02-01', to: '2026-01-31' }, ['to']],
      [{ from: 'yesterday', status: 'lost' as never }, ['from', 'status']],
    ]
    for (const [query, fields] of refusals)
      for (const endpoint of [reportOrders, printOrderReport, exportOrderReport]) {
        const { status, error } = await test.call(endpoint, { token, query })
        expect(status, JSON.stringify(query)).toBe(422)
        expect(error.errors?.map(({ field }) => field)).toEqual(fields)
      }
    const tooLong = await test.call(reportOrders, { token, query: { from: '2016-01-01', to: '2026-01-01' } })
    expect(tooLong.error.errors?.[0]?.message).toContain('366')
    // A leap year is accepted as a year.
    await read({ token } as TestCustomer, { from: '2024-01-01', to: '2024-12-31' })
    await read({ token } as TestCustomer, { to: '0001-01-01' })
    const end = await read({ token } as TestCustomer, { from: '9999-01-01', to: '9999-12-31' })
    expect(end.figures.map(({ start }) => start).at(-1)).toBe('9999-12-01')
  })

  it('shows members what they may see, and nothing of another account', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const auditor = await createMember(test, company, ['reports', 'parcels.view_all'])
    const clerk = await createMember(test, company, ['reports'])
    const outsider = await createMember(test, company, ['parcels.create', 'pay'])
    await insertOrders(company, 2, '2026-03-05T00:00:00Z', 500)
    await insertOrders(clerk, 1, '2026-03-06T00:00:00Z', 300)
    await test.deps.db.updateTable('users').set({ cost_centre: 'CC-7' }).where('id', '=', clerk.userId).execute()
    const query = { from: '2026-03-01', to: '2026-03-31' }

    const all = await read(auditor, query)
    expect(all.totals).toMatchObject({ orders: 3, spentMinor: 1_300 })
    expect(all.users.map(({ id, costCentre, spentMinor }) => [id, costCentre, spentMinor])).toEqual([
      [company.userId, null, 1_000],
      [clerk.userId, 'CC-7', 300],
    ])
    expect(all.creators.map(({ id }) => id).sort()).toEqual(
      [company, auditor, clerk, outsider].map(({ userId }) => userId).sort(),
    )
    expect((await read(auditor, { ...query, createdBy: clerk.userId })).totals.spentMinor).toBe(300)

    const own = await read(clerk, query)
    expect(own.totals).toMatchObject({ orders: 1, spentMinor: 300 })
    expect(own.users.map(({ id }) => id)).toEqual([clerk.userId])
    expect(own.creators.map(({ id }) => id)).toEqual([clerk.userId])
    expect((await readRows(clerk, query)).rows).toHaveLength(3)
    for (const endpoint of [reportOrders, printOrderReport, exportOrderReport]) {
      const createdBy = company.userId
      expect((await test.call(endpoint, { token: clerk.token, query: { ...query, createdBy } })).status).toBe(404)
      expect((await test.call(endpoint, { token: outsider.token, query })).status).toBe(403)
    }

    const stranger = await createCustomer(test)
    expect((await read(stranger, query)).totals.orders).toBe(0)
    expect((await readRows(stranger, query)).rows).toHaveLength(2)
  })
})
