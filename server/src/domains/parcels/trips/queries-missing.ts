// What is missing from all trips.
import { countLimit } from '@waybill/contract/ground/paging'
import { toStoredNumber } from '@waybill/contract/ground/tracking-number'
import type { LoadKind } from '@waybill/contract/parcels/transport/trips'
import { sql } from 'kysely'
import { containing } from '../../../db/conditions/like.ts'
import { countRows } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import { isOnTheWaySince } from '../bags/queries-moves.ts'
import { isBagOnTrip, isGunnyOnTrip, isOnTrip } from './queries-loads.ts'

export type MissingRow = {
  load_id: string
  kind: LoadKind
  number: string
  account_id: string | null
  parcel_count: number
  missing_at: Date
  trip_id: string
  trip_number: string
  from_station_id: string
  to_station_id: string
}

export type MissingFilter = {
  stationId: string | null
  search: string | null
  descending: boolean
  offset: number
  limit: number
}

/** Loads `l` of trips `t` that were missing at the end of the unloading. */
const wasMissing = ({ stationId }: MissingFilter) => sql`
          l.missing_at is not null
          and (${stationId}::uuid is null or ${stationId}::uuid in (t.from_station_id, t.to_station_id))`

/** The same with their parcels, bags or gunnies. */
const missing = (filter: MissingFilter) => sql`
        from trip_loads l
        join trips t on t.id = l.trip_id
        left join parcels p on p.account_id = l.account_id and p.id = l.parcel_id
        left join bags b on b.id = l.bag_id
        left join gunnies g on g.id = l.gunny_id
        where ${wasMissing(filter)}`

const columns = sql`l.missing_at, t.id as trip_id, t.number as trip_number, t.from_station_id, t.to_station_id`

/** The parcels of an opened bag are missing one by one. */
function rowsOfLoads(filter: MissingFilter) {
  const pattern = filter.search && containing(toStoredNumber(filter.search))
  return sql`
    from (
      select l.id as load_id, l.kind, coalesce(p.tracking_number, b.number, g.number) as number,
        coalesce(l.account_id, g.account_id) as account_id, l.parcel_count, ${columns}
      ${missing(filter)}
          and case l.kind
            when 'parcel' then p.status <> 'lost' and ${isOnTrip(sql`p`)}
            when 'bag' then ${isBagOnTrip}
            else ${isGunnyOnTrip}
          end
      union all
      select m.load_id, 'parcel', q.tracking_number, q.account_id, 1, m.missing_at, m.trip_id, m.trip_number,
        m.from_station_id, m.to_station_id
      from (
        select l.id as load_id, b.number as bag_number, c.account_id, c.parcel_id, c.added_at, ${columns}
        from trip_loads l
        join trips t on t.id = l.trip_id
        join bags b on b.id = l.bag_id and b.status = 'emptied'
        join bag_parcels c on c.bag_id = b.id
        where ${wasMissing(filter)}
      ) m
      join parcels q on q.account_id = m.account_id and q.id = m.parcel_id
      where q.status <> 'lost'
        and ${isOnTheWaySince(
          sql`q`,
          sql`m.added_at`,
          sql`e.detail ->> 'bag' = m.bag_number and e.detail ->> 'trip' = m.trip_number`,
        )}
    ) r
    where ${pattern}::text is null or r.number like ${pattern} or r.trip_number like ${pattern}`
}

/** A page of what is missing, and the number of rows, at most `countLimit`. */
export async function listMissingRows(
  db: DbOrTx,
  filter: MissingFilter,
): Promise<{ rows: MissingRow[]; total: number }> {
  const direction = filter.descending ? sql`desc` : sql`asc`
  const [{ rows }, total] = await Promise.all([
    sql<MissingRow>`
      select r.*
      ${rowsOfLoads(filter)}
      order by r.missing_at ${direction}, r.load_id ${direction}, r.number
      limit ${filter.limit} offset ${filter.offset}`.execute(db),
    countRows(db, rowsOfLoads(filter), countLimit),
  ])
  return { rows, total }
}
