// Parcels that are missing from gunnies.
import { endStatuses } from '@waybill/contract/ground/status/parcel-status'
import type { GunnyCheckEvent } from '@waybill/contract/parcels/gunny'
import { sql } from 'kysely'
import { type DbOrTx, literals } from '../../../db/pool.ts'

export type MissingRow = {
  parcel_id: string
  account_id: string
  tracking_number: string
  gunny_number: string
  event: GunnyCheckEvent
  station_id: string
  at: Date
}

/**
 * Parcels that a count found missing and that have had no event since. A parcel that was missing more than once is
 * listed with its latest count.
 */
export async function listMissingRows(
  db: DbOrTx,
  { stationId, offset, limit }: { stationId: string | null; offset: number; limit: number },
): Promise<{ rows: MissingRow[]; total: number }> {
  const { rows } = await sql<MissingRow & { total: number }>`
    with missing as (
      select distinct on (p.id) p.id as parcel_id, p.account_id, p.tracking_number, g.number as gunny_number, c.event,
        c.station_id, c.at
      from gunny_checks c
      join gunnies g on g.account_id = c.account_id and g.id = c.gunny_id
      join parcels p on p.tracking_number = any(c.missing)
      where c.missing <> '{}'
        and p.last_event_at <= c.at
        and p.status not in (${literals(endStatuses)})
      order by p.id, c.at desc, c.id desc
    )
    select *, count(*) over ()::int as total
    from missing
    where ${stationId}::uuid is null or station_id = ${stationId}::uuid
    order by at desc, parcel_id
    offset ${offset}::int limit ${limit}::int`.execute(db)
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 }
}
