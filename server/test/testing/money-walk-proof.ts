/** Invariants of the database that must hold after any sequence of steps of the money walk. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { DbOrTx } from '../../src/db/pool.ts'
import type { ModelOrder } from './money-walk-model.ts'

/** Asserts that no record of the database combines money and status in a forbidden way. */
export async function proveMoneyAndState(db: DbOrTx): Promise<void> {
  const { rows } = await sql<Record<string, number>>`
    select
      (select count(*) from (select 1 from journal_postings group by entry_id, currency
        having sum(amount_minor) <> 0) e) as unbalanced,
      (select count(*) from ledger_accounts a where a.guarded and a.balance_minor <>
        (select coalesce(sum(p.amount_minor), 0) from journal_postings p
          where p.ledger_account_id = a.id)) as differing,
      (select count(*) from parcels p join orders o on o.id = p.order_id where o.paid_minor = 0
        and p.status not in ('pending', 'incart', 'pending_payment', 'cancel')) as "on its way, unpaid",
      (select count(*) from parcels p where p.order_id is null
        and p.status not in ('pending', 'incart', 'cancel')) as "on its way without an order",
      (select count(*) from parcels p where p.status = 'refunded'
        and not exists (select 1 from refunded_parcels r where r.parcel_id = p.id))
        as "refunded without money",
      (select count(*) from refunded_parcels r join parcels p on p.id = r.parcel_id
        where p.status not in ('cancel', 'refunded')) as "given back, on its way",
      (select count(*) from refunded_parcels r join refunds f on f.id = r.refund_id join parcels p on p.id = r.parcel_id
        where (f.status = 'requested') <> (p.status = 'cancel')) as "owed or not",
      (select count(*) from orders o where o.refunded_minor <> (select coalesce(sum(amount_minor), 0) from refunds r
        where r.order_id = o.id)
        or o.refunded_minor > o.paid_minor) as "more than was paid",
      (select count(*) from refunds r
        where not exists (select 1 from credit_notes n where n.refund_id = r.id and n.total_minor = r.amount_minor))
        as "without a credit note",
      (select count(*) from orders o where o.paid_minor > 0 and o.parcel_count > 0
        and o.status in ('pending_payment', 'cancel')
        and not exists (select 1 from refunds r where r.order_id = o.id)) as "paid, but not on its way",
      (select coalesce(sum(p.amount_minor), 0) from journal_postings p join ledger_accounts a
        on a.id = p.ledger_account_id where a.kind = 'refunds')
        - (select coalesce(sum(amount_minor), 0) from refunds where status = 'requested') as "owed to cards"`.execute(
    db,
  )
  const wrong = Object.entries(rows[0] ?? {}).filter(([, count]) => Number(count) !== 0)
  assert.deepEqual(wrong, [], 'pairs of money and state that the table forbids')
}

/** Asserts that paid and refunded amounts of the orders match the model. */
export async function proveOrders(db: DbOrTx, orders: readonly ModelOrder[]): Promise<void> {
  for (const order of orders) {
    const row = await db
      .selectFrom('orders')
      .select(['paid_minor', 'refunded_minor'])
      .where('id', '=', order.id)
      .executeTakeFirst()
    assert.deepEqual(
      row,
      { paid_minor: order.paid, refunded_minor: order.refunded },
      'what an order was paid and gave back',
    )
  }
}
