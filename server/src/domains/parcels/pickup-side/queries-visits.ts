// Riders' visits: those that parcels of the cart can join, those of an order, and parcels without one.
import { cancelledStatuses } from '@waybill/contract/ground/status/parcel-status'
import { type Selectable, sql } from 'kysely'
import { type DbOrTx, literals } from '../../../db/pool.ts'
import type { PickupRequests } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'
import { currentPickup } from './queries-waiting.ts'

export type VisitRow = Selectable<PickupRequests>

/**
 * Visits of an account that no rider has started, in one window or from a day on; `lock` locks them until the
 * transaction ends.
 */
export async function openVisits(
  db: DbOrTx,
  accountId: AccountId,
  at: { date: string; window: string } | { from: string },
  { lock }: { lock: boolean },
): Promise<VisitRow[]> {
  const when =
    'from' in at
      ? sql`pickup_date >= ${at.from}::date`
      : sql`pickup_date = ${at.date}::date and pickup_window = ${at.window}::text`
  const { rows } = await sql<VisitRow>`
    select *
    from pickup_requests
    where account_id = ${accountId}::uuid
      and ${when}
      and cancelled_at is null
      and status in ('new', 'open')
      and started_at is null
      and leg = 'outbound'
    order by pickup_date, pickup_window, id
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}

/** Serialises orders of an account that join or book a visit in this window. */
export async function lockVisits(trx: DbOrTx, accountId: AccountId, day: string, window: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`visit ${accountId} ${day} ${window}`}, 0))`.execute(trx)
}

/**
 * The visits at the sender that pick up parcels of an order, by time. A cancelled parcel still names its pickup, which
 * is then cancelled, or comes for other orders only.
 */
export async function listVisitsOfOrder(db: DbOrTx, orderId: string): Promise<VisitRow[]> {
  const { rows } = await sql<VisitRow>`
    select *
    from pickup_requests
    where id in (
        select pickup_request_id
        from parcels
        where order_id = ${orderId}::uuid and status not in (${literals(cancelledStatuses)})
      )
      and leg = 'outbound'
    order by pickup_date, pickup_window, id`.execute(db)
  return rows
}

/**
 * Counts parcels for which no rider comes: without a pickup, and on a failed one. Only the oldest `limit` that wait for
 * a rider are looked at. `createdBy` null: of all users of the account.
 */
export async function countWithoutRider(
  db: DbOrTx,
  { accountId, createdBy }: { accountId: AccountId; createdBy: string | null },
  limit: number,
): Promise<{ withoutPickup: number; failedPickups: number }> {
  const { rows } = await sql<{ withoutPickup: number; failedPickups: number }>`
    with waiting as (
      select p.account_id, ${currentPickup} as id
      from parcels p
      where p.account_id = ${accountId}::uuid
        and p.status in ('pending_pickup', 'reverse_pickup')
        and (${createdBy}::uuid is null or p.created_by = ${createdBy}::uuid)
      order by p.created_at
      limit ${limit}::int
    )
    select count(*) filter (where r.id is null) as "withoutPickup",
      count(*) filter (where r.status = 'failed') as "failedPickups"
    from waiting w
    left join pickup_requests r
      on r.account_id = w.account_id and r.id = w.id and r.status <> 'completed' and r.cancelled_at is null`.execute(db)
  return rows[0] ?? { withoutPickup: 0, failedPickups: 0 }
}
