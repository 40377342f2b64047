/** Queries on receivables. */
import type { Movement } from '@waybill/contract/wallet/wallet'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'

/**
 * The debt on each of these ledger accounts in minor units. Postings of a receivable are debits, so the sum is
 * negated.
 */
export async function sumOwedByAccount(db: DbOrTx, ledgerAccountIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; owed: number }>`
    select ledger_account_id as id, -sum(amount_minor)::bigint as owed
    from journal_postings
    where ledger_account_id = any(${ledgerAccountIds}::uuid[])
    group by ledger_account_id`.execute(db)
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
  const begin = sql`${since.day}::date::timestamp at time zone ${since.timeZone}::text`
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

export type MonthSums = { opening: number; charges: number; credits: number; receipts: number }

const begin = (month: string, timeZone: string) =>
  sql`(${`${month}-01`}::date)::timestamp at time zone ${timeZone}::text`
const end = (month: string, timeZone: string) =>
  sql`(${`${month}-01`}::date + interval '1 month')::timestamp at time zone ${timeZone}::text`

/**
 * A receivable's month (`YYYY-MM`): the debt before it, and the charges, refunds and receipts in it. The withdrawal of
 * an advance is a charge.
 */
export async function sumReceivableMonth(
  db: DbOrTx,
  ledgerAccountId: string,
  month: string,
  timeZone: string,
): Promise<MonthSums> {
  const inside = sql`p.created_at >= ${begin(month, timeZone)}`
  const { rows } = await sql<MonthSums>`
    select coalesce(-sum(p.amount_minor) filter (where not (${inside})), 0)::bigint as opening,
      coalesce(-sum(p.amount_minor) filter (where ${inside} and p.amount_minor < 0), 0)::bigint as charges,
      coalesce(
        sum(p.amount_minor) filter (where ${inside} and p.amount_minor > 0 and e.kind <> 'receipt'), 0
      )::bigint as credits,
      coalesce(
        sum(p.amount_minor) filter (where ${inside} and p.amount_minor > 0 and e.kind = 'receipt'), 0
      )::bigint as receipts
    from journal_postings p
    join journal_entries e on e.id = p.entry_id
    where p.ledger_account_id = ${ledgerAccountId}::uuid and p.created_at < ${end(month, timeZone)}`.execute(db)
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

/** The movements of a receivable's month after number `after`. */
export async function receivableMovements(
  db: DbOrTx,
  ledgerAccountId: string,
  month: string,
  timeZone: string,
  after: number,
  limit: number,
): Promise<ReceivableRow[]> {
  const { rows } = await sql<ReceivableRow>`
    select p.seq, p.created_at as at, e.kind, e.reference, e.created_by, -p.amount_minor as amount
    from journal_postings p
    join journal_entries e on e.id = p.entry_id
    where p.ledger_account_id = ${ledgerAccountId}::uuid
      and p.seq > ${after}::bigint
      and p.created_at >= ${begin(month, timeZone)}
      and p.created_at < ${end(month, timeZone)}
    order by p.seq
    limit ${limit}`.execute(db)
  return rows
}
