/** Queries of the report of orders. */

import { sql } from 'kysely'
import { dayBegin, dayEnd } from '../../../db/conditions/local-days.ts'
import { keysetClauses, type ReadFrom } from '../../../db/keyset.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { OrderRow } from '../queries.ts'
import { matchesOrderFilter } from '../queries-list.ts'
import type { OrderNarrowing } from '../rules.ts'

export type OrderReportRow = Pick<
  OrderRow,
  | 'id'
  | 'number'
  | 'created_at'
  | 'created_by'
  | 'status'
  | 'approval_id'
  | 'payment_method'
  | 'parcel_count'
  | 'total_minor'
  | 'paid_minor'
  | 'refunded_minor'
> & { at_exactly: string }

/** Orders from a position, newest first (`backward`: oldest first). */
export async function reportPage(
  db: DbOrTx,
  accountId: AccountId,
  filter: OrderNarrowing,
  from: ReadFrom,
): Promise<OrderReportRow[]> {
  const { beyond, order } = keysetClauses(from, { at: 'created_at', id: 'id' })
  const { rows } = await sql<OrderReportRow>`
    select id, number, created_at, created_by, status, approval_id, payment_method, parcel_count, total_minor,
      paid_minor, refunded_minor, created_at::text as at_exactly
    from orders
    where ${matchesOrderFilter(accountId, filter)} ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** Sums of the orders of one day or month (`start`, its first day) or of one user; the other field is null. */
export type SumRow = {
  start: string | null
  user_id: string | null
  orders: number
  parcels: number
  total_minor: number
  paid_minor: number
  refunded_minor: number
}

/** Sums by day or month in a time zone, and by user, in one pass over the orders. */
export async function sumOrders(
  db: DbOrTx,
  accountId: AccountId,
  filter: OrderNarrowing,
  step: 'day' | 'month',
  timeZone: string,
): Promise<SumRow[]> {
  const { rows } = await sql<SumRow>`
    with matching as (
      select date_trunc(${sql.lit(step)}, created_at at time zone ${timeZone}::text)::date as start, created_by,
        parcel_count, total_minor, paid_minor, refunded_minor
      from orders
      where ${matchesOrderFilter(accountId, filter)}
    )
    select to_char(start, 'YYYY-MM-DD') as start, created_by as user_id, count(*) as orders,
      sum(parcel_count)::bigint as parcels, sum(total_minor)::bigint as total_minor,
      sum(paid_minor)::bigint as paid_minor, sum(refunded_minor)::bigint as refunded_minor
    from matching
    group by grouping sets ((start), (created_by))`.execute(db)
  return rows
}

export type TotalRow = Omit<SumRow, 'start' | 'user_id'> & { start: string }

/** Sums of all accounts by day or month, for orders created in a period in a time zone, both days included. */
export async function sumOrdersByPeriod(
  db: DbOrTx,
  { from, to, timeZone }: { from: string; to: string; timeZone: string },
  step: 'day' | 'month',
): Promise<TotalRow[]> {
  const { rows } = await sql<TotalRow>`
    select to_char(date_trunc(${sql.lit(step)}, created_at at time zone ${timeZone}::text), 'YYYY-MM-DD') as start,
      count(*)::int as orders, sum(parcel_count)::bigint as parcels, sum(total_minor)::bigint as total_minor,
      sum(paid_minor)::bigint as paid_minor, sum(refunded_minor)::bigint as refunded_minor
    from orders
    where created_at >= ${dayBegin(from, timeZone)} and created_at < ${dayEnd(to, timeZone)}
    group by 1`.execute(db)
  return rows
}
