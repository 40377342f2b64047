// The numbers, invoices and ledger of the demo.
import { readTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { computeDebts } from '../../src/domains/orders/monthly-billing/service.ts'
import { checkBooks } from '../../src/domains/wallet/ledger/books.ts'
import { asAccountId } from '../../src/http/caller.ts'
import { demoAfternoon, queryRows } from './query.ts'

/** Tests of a complete demo on the server that `getDeps` returns. */
export function describeMoney(getDeps: () => Deps): void {
  const getRows = <R>(query: string) => queryRows<R>(query, getDeps())

  describe('the numbers and money of the demo', () => {
    test('have valid tracking numbers, and the next ones are unused', async () => {
      const numbers = await getRows<{ no: string }>(
        'select tracking_number as no from parcels where tracking_number is not null',
      )
      for (const { no } of numbers) expect(readTrackingNumber(no, 'WB').kind).toBe('own')
      const [serial] = await getRows<{ next: number }>(`select nextval('tracking_serial') as next`)
      expect(serial?.next).toBe(numbers.length + 1)
    })

    test('have ledger entries that sum to zero, and balances that equal the sum of their postings', async () => {
      expect(
        await getRows(
          'select entry_id from journal_postings group by entry_id, currency having sum(amount_minor) <> 0',
        ),
      ).toEqual([])
      expect(
        await getRows(
          `select a.id from ledger_accounts a left join journal_postings p on p.ledger_account_id = a.id where a.guarded
         group by a.id having a.balance_minor <> coalesce(sum(p.amount_minor), 0)`,
        ),
      ).toEqual([])
      const wallets = await getRows<{ balance_minor: number }>(
        `select balance_minor from ledger_accounts where kind = 'customer_wallet'`,
      )
      expect(wallets).toHaveLength(4)
      for (const { balance_minor } of wallets) expect(balance_minor).toBeGreaterThan(0)
    })

    test('have statements that match the ledger: the newest is open, the earlier ones are paid', async () => {
      const { rows } = await sql<{ id: string }>`select id from accounts where name like 'Kinabalu%'`.execute(
        getDeps().db,
      )
      const accountId = asAccountId(rows[0]?.id ?? '')
      const debts = (await computeDebts(getDeps(), getDeps().db, [accountId])).get(accountId)
      const [newest, ...older] = debts?.statements ?? []
      expect(older.length).toBeGreaterThan(0)
      expect(older.map(({ unpaidMinor }) => unpaidMinor)).toEqual(older.map(() => 0))
      // Orders that were cancelled since then reduce the charges of this month, not the statement.
      expect(newest?.unpaidMinor).toBe(newest?.closing_minor)
      expect(newest?.receipts_minor).toBe(older[0]?.closing_minor)
      expect((await checkBooks(getDeps().db))?.problems).toEqual([])
    })

    test('have a company with an overdue statement, which can no longer use monthly billing', async () => {
      const overdue = await getRows<{ name: string; unpaid: boolean }>(
        `select a.name, s.closing_minor > s.receipts_minor as unpaid from corporate_statements s
         join accounts a on a.id = s.account_id
         where s.due_on < '${demoAfternoon.toISOString()}' and a.name like 'Lestari%'
         order by s.month limit 1`,
      )
      expect(overdue).toEqual([{ name: 'Lestari Crafts Sdn Bhd', unpaid: true }])
    })

    test('have invoice numbers in chronological order without gaps, up to the counter', async () => {
      const years = await getRows<{ year: number; last: number; count: number }>(
        `select c.year, c.last, (select count(*) from invoices i where i.number like '%' || c.year || '%') as count
       from document_counters c where c.series = 'INV'`,
      )
      expect(years.length).toBeGreaterThan(0)
      for (const { last, count } of years) expect(count).toBe(last)
      const numbers = await getRows<{ number: string }>('select number from invoices order by issued_at, number')
      expect(numbers).toEqual([...numbers].sort((a, b) => a.number.localeCompare(b.number)))
    })

    test('have orders that equal the sum of their parcels and pickup, with a payment for each paid order', async () => {
      expect(
        await getRows(
          // A pickup costs 2.00 and 6 % tax, unless it joins another order's visit. The charge for a heavier parcel
          // is a separate order.
          `select o.number, o.total_minor, sum(p.price_minor) from orders o join parcels p on p.order_id = o.id
         left join (
           select parcel_id, sum(paid_minor) as paid_minor from parcel_weighings group by parcel_id
         ) w on w.parcel_id = p.id
         group by o.account_id, o.id having o.total_minor <> sum(p.price_minor - coalesce(w.paid_minor, 0))
             + case when o.pickup is null or o.pickup ->> 'visitId' is not null then 0 else 212 end
           or o.parcel_count <> count(*)`,
        ),
      ).toEqual([])
      expect(
        await getRows(
          `select o.number from orders o left join payments p on p.id = o.payment_id
         where o.status in ('pending', 'completed')
           and (o.paid_minor < o.total_minor or p.status is distinct from 'succeeded')`,
        ),
      ).toEqual([])
    })
  })
}
