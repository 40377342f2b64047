/** Queries of the dashboard. */
import type { ParcelStatus } from '@waybill/contract/ground/enums'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'

/** Whose parcels are counted: all of the account, or one user's. */
export type Scope = { accountId: AccountId; createdBy: string | null }

/** `handed_over` is meaningful only for outstanding parcels. */
export type StatusCount = { status: ParcelStatus; handed_over: boolean; count: number }

// Without the second condition an index-only scan suffices.
const own = ({ accountId, createdBy }: Scope) =>
  createdBy === null
    ? sql`account_id = ${accountId}::uuid`
    : sql`account_id = ${accountId}::uuid and created_by = ${createdBy}::uuid`

/**
 * The number of parcels by status. Those in `ends` count only if their last event is `since` or later: there may be
 * millions of older ones.
 */
export async function countByStatus(
  db: DbOrTx,
  scope: Scope,
  open: readonly ParcelStatus[],
  ends: readonly ParcelStatus[],
  since: Date,
): Promise<StatusCount[]> {
  const { rows } = await sql<StatusCount>`
    select status, handed_over, count(*) as count
    from parcels
    where ${own(scope)} and status = 'outstanding'
    group by status, handed_over
    union all
    select status, true, count(*)
    from parcels
    where ${own(scope)} and status = any(${open}::text[]) and status <> 'outstanding'
    group by status
    union all
    select status, true, count(*)
    from parcels
    where ${own(scope)} and status = any(${ends}::text[]) and last_event_at >= ${since}::timestamptz
    group by status`.execute(db)
  return rows
}

/** Counts parcels in these statuses whose last event was before `silentSince`. */
export async function countSilent(
  db: DbOrTx,
  scope: Scope,
  statuses: readonly ParcelStatus[],
  silentSince: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from parcels
    where ${own(scope)} and status = any(${statuses}::text[]) and last_event_at < ${silentSince}::timestamptz`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

export type DayCount = { day: string; created: number; delivered: number }

/**
 * Parcels created and delivered per day for the last `days` days of a time zone, today last; days without any are
 * included.
 */
export async function countPerDay(
  db: DbOrTx,
  scope: Scope,
  delivered: readonly ParcelStatus[],
  timeZone: string,
  now: Date,
  days: number,
): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    with today as (
      select (${now}::timestamptz at time zone ${timeZone})::date as today
    ), bounds as (
      select today - ${days}::int + 1 as first,
        (today - ${days}::int + 1)::timestamp at time zone ${timeZone} as since
      from today
    ), created as (
      select (created_at at time zone ${timeZone})::date as day, count(*) as count
      from parcels
      where ${own(scope)} and created_at >= (select since from bounds)
      group by 1
    ), delivered as (
      select (last_event_at at time zone ${timeZone})::date as day, count(*) as count
      from parcels
      where ${own(scope)} and status = any(${delivered}::text[]) and last_event_at >= (select since from bounds)
      group by 1
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.count, 0) as created, coalesce(e.count, 0) as delivered
    from bounds, today, generate_series(first::timestamp, today::timestamp, interval '1 day') as g(at)
    cross join lateral (select g.at::date as day) d
    left join created c on c.day = d.day
    left join delivered e on e.day = d.day
    order by d.day`.execute(db)
  return rows
}
