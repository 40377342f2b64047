import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'

export type StuckParcel = { id: string; created_by: string; tracking_number: string; silent: boolean }

/**
 * Takes parcels on their way to the receiver that nobody has scanned since `silentSince`, or whose expected day is
 * over, and notes that their sender is told. What waits at its station to be collected is where it should be.
 */
export async function takeStuckParcels(
  trx: DbOrTx,
  { silentSince, today, at }: { silentSince: Date; today: string; at: Date },
  limit: number,
): Promise<StuckParcel[]> {
  const { rows } = await sql<StuckParcel>`
    with found as materialized (
      select account_id, id, last_event_at < ${silentSince}::timestamptz as silent from parcels
      where status in ('inbound', 'sorting', 'outbound', 'delivering') and stuck_told_at is null and leg = 'outbound' and collect_until is null
        and tracking_number is not null and (last_event_at < ${silentSince}::timestamptz or expected_date < ${today}::date)
      order by last_event_at limit ${limit}::int for update skip locked
    )
    update parcels p set stuck_told_at = ${at}::timestamptz from found
    where p.account_id = found.account_id and p.id = found.id
    returning p.id, p.created_by, p.tracking_number, found.silent`.execute(trx)
  return rows
}
