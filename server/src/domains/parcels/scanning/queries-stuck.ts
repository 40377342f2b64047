// Parcels without progress.
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { ParcelRow } from '../queries.ts'

export type StuckParcel = Pick<ParcelRow, 'id' | 'created_by'> & { tracking_number: string; silent: boolean }

/**
 * Takes outbound parcels without an event since `silentSince`, or later than expected, and marks them as reported.
 * Parcels that wait for collection at their station are not stuck.
 */
export async function takeStuckParcels(
  trx: DbOrTx,
  { silentSince, today, at }: { silentSince: Date; today: string; at: Date },
  limit: number,
): Promise<StuckParcel[]> {
  const { rows } = await sql<StuckParcel>`
    with stuck as materialized (
      select account_id, id, last_event_at < ${silentSince}::timestamptz as silent
      from parcels
      where status in ('inbound', 'sorting', 'outbound', 'delivering')
        and stuck_told_at is null
        and leg = 'outbound'
        and collect_until is null
        and tracking_number is not null
        and (last_event_at < ${silentSince}::timestamptz or expected_date < ${today}::date)
      order by last_event_at
      limit ${limit}::int
      for update skip locked
    )
    update parcels p
    set stuck_told_at = ${at}::timestamptz
    from stuck
    where p.account_id = stuck.account_id and p.id = stuck.id
    returning p.id, p.created_by, p.tracking_number, stuck.silent`.execute(trx)
  return rows
}
