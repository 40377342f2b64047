// Parcels without progress.
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { ParcelRow } from '../queries.ts'

export type StuckParcel = Pick<ParcelRow, 'id' | 'created_by'> & { tracking_number: string; silent: boolean }

/**
 * Locks outbound parcels without an event since `silentSince`, or later than expected, that were not reported yet.
 * Parcels that wait for collection at their station are not stuck.
 */
export async function lockStuckParcels(
  trx: DbOrTx,
  { silentSince, today }: { silentSince: Date; today: string },
  limit: number,
  except: readonly string[],
): Promise<StuckParcel[]> {
  const { rows } = await sql<StuckParcel>`
    select id, created_by, tracking_number, last_event_at < ${silentSince}::timestamptz as silent
    from parcels
    where status in ('inbound', 'sorting', 'outbound', 'delivering')
      and stuck_told_at is null
      and leg = 'outbound'
      and collect_until is null
      and tracking_number is not null
      and id <> all(${except}::uuid[])
      and (last_event_at < ${silentSince}::timestamptz or expected_date < ${today}::date)
    order by last_event_at
    limit ${limit}::int
    for update skip locked`.execute(trx)
  return rows
}

/** Marks stuck parcels as reported. */
export async function markStuckReported(trx: DbOrTx, ids: readonly string[], at: Date): Promise<void> {
  await sql`update parcels set stuck_told_at = ${at}::timestamptz where id = any(${ids}::uuid[])`.execute(trx)
}
