/** Queries on receivables. */

import type { Movement } from '@waybill/contract/wallet/wallet'
import { type RawBuilder, sql } from 'kysely'
import { dayBegin } from '../../../db/conditions/local-days.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'

/** A ledger account, and its debt in minor units just before a moment; null: the beginning. */
export type KnownDebt = { id: string; owed: number; until: Date | null }

/**
 * The debt on each of these ledger accounts in minor units, from the postings since it was known. Postings of a
 * receivable are debits, so the sum is negated.
 */
export async function sumOwedByAccount(db: DbOrTx, debts: readonly KnownDebt[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; owed: number }>`
    select r.id, (r.owed - coalesce((
      select sum(p.amount_minor)
      from journal_postings p
      where p.ledger_account_id = r.id and p.created_at >= coalesce(r.until, '-infinity')
    ), 0))::bigint as owed
    from json_to_recordset(${JSON.stringify(debts)}::json) as r(id uuid, owed bigint, until timestamptz)`.execute(db)
  return new Map(rows.map((row) => [row.id, row.owed]))
}

type Spending = {
  ledgerAccountIds: readonly string[]
  accountId: AccountId
  /** Null: all users. */
  userId: string | null
  /** The beginning of this day. */
  since: { day: string; timeZone: string }
}

/**
 * What users spent from these ledger accounts, by order (`order_id` null: no order). Refunds of these orders are
 * subtracted, no matter which user made them; refunds of older orders are not. They are looked up for each order,
 * because a join of both sums takes minutes when PostgreSQL expects few rows.
 */
function spending({ ledgerAccountIds, accountId, userId, since }: Spending): RawBuilder<unknown> {
  const begin = dayBegin(since.day, since.timeZone)
  return sql`(
    select s.created_by, s.order_id, greatest(0, s.amount - coalesce((
      select sum(p.amount_minor)
      from journal_entries e
      join journal_postings p on p.entry_id = e.id and p.ledger_account_id = any(${ledgerAccountIds}::uuid[])
      where e.order_id = s.order_id and e.kind = 'refund' and e.created_at >= ${begin}
    ), 0)) as amount
    from (
      select e.created_by, e.order_id, -sum(p.amount_minor) as amount
      from journal_entries e
      join journal_postings p on p.entry_id = e.id and p.ledger_account_id = any(${ledgerAccountIds}::uuid[])
      where e.account_id = ${accountId}::uuid
        and ${userId === null ? sql`e.created_by is not null` : sql`e.created_by = ${userId}::uuid`}
        and e.kind in ('order', 'outstanding')
        and e.created_at >= ${begin}
      group by e.created_by, e.order_id
    ) s
  )`
}

/** The amount that users spent from a ledger account, by user. */
export async function sumSpentByUser(db: DbOrTx, filter: Spending): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; spent: number }>`
    select created_by as id, sum(amount)::bigint as spent
    from ${spending(filter)} s
    group by created_by`.execute(db)
  return new Map(rows.map(({ id, spent }) => [id, spent]))
}

/** The amounts that users spent from these ledger accounts, by order (null: no order). */
export async function listSpentByOrder(
  db: DbOrTx,
  filter: Spending,
): Promise<{ order_id: string | null; spent: number }[]> {
  const { rows } = await sql<{ order_id: string | null; spent: number }>`
    select order_id, amount::bigint as spent
    from ${spending(filter)} s`.execute(db)
  return rows
}

export type PeriodSums = { opening: number; charges: number; credits: number; receipts: number }

/** From `beginsAt` until just before `endsAt`. */
export type Period = { beginsAt: Date; endsAt: Date }

/** Receipts, and the cancellation of one, which is a negative receipt. */
const isReceipt = sql`e.kind in ('receipt', 'receipt_cancelled')`

/**
 * A period of a receivable: the debt before it, and the charges, refunds and receipts in it. The withdrawal of an
 * advance is a charge; one that the bank returned is a refund.
 */
export async function sumReceivablePeriod(
  db: DbOrTx,
  ledgerAccountId: string,
  { beginsAt, endsAt }: Period,
): Promise<PeriodSums> {
  const { rows } = await sql<PeriodSums>`
    select coalesce((
        select -sum(amount_minor)
        from journal_postings
        where ledger_account_id = ${ledgerAccountId}::uuid and created_at < ${beginsAt}::timestamptz
      ), 0)::bigint as opening,
      coalesce(-sum(p.amount_minor) filter (where p.amount_minor < 0 and not ${isReceipt}), 0)::bigint as charges,
      coalesce(sum(p.amount_minor) filter (where p.amount_minor > 0 and not ${isReceipt}), 0)::bigint as credits,
      coalesce(sum(p.amount_minor) filter (where ${isReceipt}), 0)::bigint as receipts
    from journal_postings p
    join journal_entries e on e.id = p.entry_id
    where p.ledger_account_id = ${ledgerAccountId}::uuid
      and p.created_at >= ${beginsAt}::timestamptz
      and p.created_at < ${endsAt}::timestamptz`.execute(db)
  return rows[0] ?? { opening: 0, charges: 0, credits: 0, receipts: 0 }
}

export type ReceivableRow = {
  seq: number
  at: Date
  kind: Movement['kind']
  reference: string | null
  created_by: string | null
  /** Positive: charged; negative: refunded or received. */
  amount: number
}

/** The ends of periods, the oldest first. Charges before `since` do not count; null: all do. */
export type PeriodEnds = { ends: readonly Date[]; since: Date | null }

/**
 * The charges of receivables less the refunds of these charges, by ledger account and period: before each of its
 * `ends`, and since the last. A refund counts in the period of the first charge of its order, because it lowers that
 * charge. A refund without such a charge counts when it was made. No refund comes before its charge, so the postings
 * since a moment have all that counts since then. `offset 0` keeps the planner from joining all postings first.
 */
export async function sumChargesByPeriod(
  db: DbOrTx,
  receivables: readonly (PeriodEnds & { id: string })[],
): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ id: string; period: number; charged: number }>`
    select r.id, width_bucket(m.at, r.ends) as period, sum(m.amount)::bigint as charged
    from json_to_recordset(${JSON.stringify(receivables)}::json) as r(id uuid, ends timestamptz[], since timestamptz)
    cross join lateral (
      select -p.amount_minor as amount,
        case when p.amount_minor < 0 then p.created_at else coalesce((
          select min(c.created_at)
          from journal_entries o
          join journal_postings c on c.entry_id = o.id and c.ledger_account_id = p.ledger_account_id
          where o.order_id = e.order_id and c.amount_minor < 0
        ), p.created_at) end as at
      from journal_postings p
      join journal_entries e on e.id = p.entry_id
      where p.ledger_account_id = r.id and p.created_at >= coalesce(r.since, '-infinity') and not ${isReceipt}
      offset 0
    ) m
    group by 1, 2`.execute(db)
  const charges = new Map(rows.map(({ id, period, charged }) => [`${id} ${period}`, charged]))
  return new Map(receivables.map(({ id, ends }) => [id, [...ends, null].map((_, n) => charges.get(`${id} ${n}`) ?? 0)]))
}

/** The movements of a receivable's period after number `after`. */
export async function receivableMovements(
  db: DbOrTx,
  ledgerAccountId: string,
  { beginsAt, endsAt }: Period,
  after: number,
  limit: number,
): Promise<ReceivableRow[]> {
  const { rows } = await sql<ReceivableRow>`
    select p.seq, p.created_at as at, e.kind, e.reference, e.created_by, -p.amount_minor as amount
    from journal_postings p
    join journal_entries e on e.id = p.entry_id
    where p.ledger_account_id = ${ledgerAccountId}::uuid
      and p.seq > ${after}::bigint
      and p.created_at >= ${beginsAt}::timestamptz
      and p.created_at < ${endsAt}::timestamptz
    order by p.seq
    limit ${limit}`.execute(db)
  return rows
}
