/** Queries on the figures of accounts (migration `account_figures`), which triggers on parcels and orders maintain. */
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'

/** Whose figures: the whole account's, or one user's. */
export type FigureScope = { accountId: AccountId; createdBy: string | null }

/**
 * - `created`, `ended`: parcels by the day on which it happened; the label of `ended` is the status, with `:on_time`
 *   or `:late` if a day was promised.
 * - `open`: parcels by status, all with the period 1970-01-01; `amount_minor` is the amount due.
 * - `sent`: parcels by destination (`my:Johor`, `sg`) and month.
 * - `spent`: orders by month, with the amounts paid and not refunded.
 */
export type Metric = 'created' | 'ended' | 'open' | 'sent' | 'spent'
export type Figure = { metric: Metric; label: string; period: string; count: number; amount_minor: number }

/** The user id of the rows with the totals over all users of an account. */
const allUsers = sql`all_users()`

/** Figures since one day each (`YYYY-MM-DD`), of one user or of the whole account. Zeros are omitted. */
export async function readFigures(
  db: DbOrTx,
  { accountId, createdBy }: FigureScope,
  since: Readonly<Partial<Record<Metric, string>>>,
): Promise<Figure[]> {
  const { rows } = await sql<Figure>`
    select metric, label, period::text as period, sum(count)::bigint as count, sum(amount_minor)::bigint as amount_minor
    from (${rowsSince(accountId, createdBy, since)}) f
    group by metric, label, period
    having sum(count) <> 0 or sum(amount_minor) <> 0`.execute(db)
  return rows
}

export type UserSpend = { user_id: string; this_month: number; last_month: number }

/** What each user spent in a month and the previous one, both given by their first day; the highest first. */
export async function readSpendByUser(
  db: DbOrTx,
  { accountId, createdBy }: FigureScope,
  month: string,
  lastMonth: string,
): Promise<UserSpend[]> {
  const { rows } = await sql<UserSpend>`
    select user_id,
      coalesce(sum(amount_minor) filter (where period = ${month}::date), 0)::bigint as this_month,
      coalesce(sum(amount_minor) filter (where period = ${lastMonth}::date), 0)::bigint as last_month
    from (
      select user_id, period, amount_minor
      from account_figures
      where account_id = ${accountId}::uuid and metric = 'spent' and period >= ${lastMonth}::date
        and user_id <> ${allUsers}
      union all
      select user_id, period, amount_minor
      from account_figure_changes
      where account_id = ${accountId}::uuid and metric = 'spent' and period >= ${lastMonth}::date
    ) f
    where ${createdBy}::uuid is null or user_id = ${createdBy}::uuid
    group by user_id
    having sum(amount_minor) <> 0
    order by this_month desc, last_month desc, user_id`.execute(db)
  return rows
}

/** Figures of one user (null: the account's totals), including changes that are not yet added up. */
function rowsSince(accountId: AccountId, createdBy: string | null, since: Readonly<Partial<Record<Metric, string>>>) {
  const metrics = Object.keys(since)
  const days = Object.values(since)
  const ofUser = createdBy === null ? null : sql`${createdBy}::uuid`
  const part = (table: 'account_figures' | 'account_figure_changes', user: RawBuilder<unknown> | null) => sql`
      select f.metric, f.label, f.period, f.count, f.amount_minor
      from wanted w
      join ${sql.table(table)} f on f.account_id = ${accountId}::uuid and f.metric = w.metric and f.period >= w.since
        ${user === null ? sql`` : sql`and f.user_id = ${user}`}`
  return sql`
      with wanted as materialized (
        select * from unnest(${metrics}::text[], ${days}::date[]) as w(metric, since)
      )
      ${part('account_figures', ofUser ?? allUsers)}
      union all
      ${part('account_figure_changes', ofUser)}`
}

/** Adds up at most `limit` changes. Returns how many there were. */
export async function addUpChanges(trx: Tx, limit: number): Promise<number> {
  // A separate statement: the next one must not see what another process has added up meanwhile.
  await sql`select lock_account_figures()`.execute(trx)
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from account_figure_changes
      where ctid = any(array(select ctid from account_figure_changes limit ${limit}::int))
      returning *
    ), added as (
      insert into account_figures as f
      select t.account_id, u.user_id, t.metric, t.label, t.period, sum(t.count), sum(t.amount_minor)
      from taken t, lateral (values (t.user_id), (${allUsers})) as u (user_id)
      group by t.account_id, u.user_id, t.metric, t.label, t.period
      on conflict (account_id, user_id, metric, period, label) do update
      set count = f.count + excluded.count, amount_minor = f.amount_minor + excluded.amount_minor
    )
    select count(*) as taken from taken`.execute(trx)
  return rows[0]?.taken ?? 0
}

/** Recounts an account from its parcels and orders. */
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
