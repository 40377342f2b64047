/** Queries on the figures of accounts (migration `account_figures`), which the triggers of parcels and orders write. */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'

/** Whose figures: all of the account, or one user's. */
export type Scope = { accountId: AccountId; createdBy: string | null }

/**
 * - `created`, `ended`: parcels by the day on which it happened; the label of `ended` is the status, with `:on_time` or
 *   `:late` where a day was promised.
 * - `open`: parcels by status, all with the period 1970-01-01; `amount_minor` is what is due.
 * - `sent`: parcels by destination (`my:Johor`, `sg`) and month.
 * - `spent`: orders by month, with what stayed paid.
 */
export type Metric = 'created' | 'ended' | 'open' | 'sent' | 'spent'
export type Figure = { metric: Metric; label: string; period: string; count: number; amount_minor: number }

/** Figures since a day each (`YYYY-MM-DD`), summed over the users in scope. Zeros are left out. */
export async function readFigures(
  db: DbOrTx,
  { accountId, createdBy }: Scope,
  since: Readonly<Partial<Record<Metric, string>>>,
): Promise<Figure[]> {
  const { rows } = await sql<Figure>`
    select metric, label, period::text as period, sum(count)::bigint as count, sum(amount_minor)::bigint as amount_minor
    from (${rowsSince(accountId, since)}) f
    where ${createdBy}::uuid is null or user_id = ${createdBy}::uuid
    group by metric, label, period
    having sum(count) <> 0 or sum(amount_minor) <> 0`.execute(db)
  return rows
}

export type UserSpend = { user_id: string; this_month: number; last_month: number }

/** What each user spent in a month and the one before, both given by their first day; the highest first. */
export async function readSpendByUser(
  db: DbOrTx,
  { accountId, createdBy }: Scope,
  month: string,
  lastMonth: string,
): Promise<UserSpend[]> {
  const { rows } = await sql<UserSpend>`
    select user_id,
      coalesce(sum(amount_minor) filter (where period = ${month}::date), 0)::bigint as this_month,
      coalesce(sum(amount_minor) filter (where period = ${lastMonth}::date), 0)::bigint as last_month
    from (${rowsSince(accountId, { spent: lastMonth })}) f
    where ${createdBy}::uuid is null or user_id = ${createdBy}::uuid
    group by user_id
    having sum(amount_minor) <> 0
    order by this_month desc, last_month desc, user_id`.execute(db)
  return rows
}

/** Figures and the changes that are not added up yet. */
function rowsSince(accountId: AccountId, since: Readonly<Partial<Record<Metric, string>>>) {
  const metrics = Object.keys(since)
  const days = Object.values(since)
  const part = (table: 'account_figures' | 'account_figure_changes') => sql`
      select f.user_id, f.metric, f.label, f.period, f.count, f.amount_minor
      from wanted w
      join ${sql.table(table)} f on f.account_id = ${accountId}::uuid and f.metric = w.metric and f.period >= w.since`
  return sql`
      with wanted as materialized (
        select * from unnest(${metrics}::text[], ${days}::date[]) as w(metric, since)
      )
      ${part('account_figures')}
      union all
      ${part('account_figure_changes')}`
}

/** Adds up at most `limit` changes. Returns how many there were. */
export async function addUpChanges(trx: Tx, limit: number): Promise<number> {
  // A statement of its own: the next one must not see what another process has added up meanwhile.
  await sql`select lock_account_figures()`.execute(trx)
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from account_figure_changes
      where ctid = any(array(select ctid from account_figure_changes limit ${limit}::int))
      returning *
    ), added as (
      insert into account_figures as f
      select account_id, user_id, metric, label, period, sum(count), sum(amount_minor)
      from taken
      group by account_id, user_id, metric, label, period
      on conflict (account_id, metric, period, label, user_id) do update
      set count = f.count + excluded.count, amount_minor = f.amount_minor + excluded.amount_minor
    )
    select count(*) as taken from taken`.execute(trx)
  return rows[0]?.taken ?? 0
}

/** Counts an account anew from its parcels and orders. */
export async function recountFigures(trx: Tx, accountId: string): Promise<void> {
  await sql`select recount_account_figures(${accountId}::uuid)`.execute(trx)
}

export type WrongFigure = {
  user_id: string
  metric: Metric
  label: string
  period: string
  stored: number
  counted: number
  stored_minor: number
  counted_minor: number
}

/** The figures of an account that differ from its parcels and orders. */
export async function findWrongFigures(db: DbOrTx, accountId: string): Promise<WrongFigure[]> {
  const { rows } = await sql<WrongFigure>`
    select user_id, metric, label, period::text as period, stored, counted, stored_minor, counted_minor
    from wrong_account_figures(${accountId}::uuid)
    order by user_id, metric, period, label`.execute(db)
  return rows
}
