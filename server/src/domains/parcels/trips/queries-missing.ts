// What is missing from all trips.
import { countLimit } from '@waybill/contract/ground/paging'
import { toStoredNumber } from '@waybill/contract/ground/tracking-number'
import type { LoadKind } from '@waybill/contract/parcels/transport/trips'
import { sql } from 'kysely'
import { containing } from '../../../db/conditions/like.ts'
import { countRows } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import { isOnTheWaySince, recordedAt } from '../bags/queries-moves.ts'
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

/** Loads `l` that were missing when the unloading ended, and have not ended since (`endMissingLoads`). */
const mayBeMissing = sql`l.missing_at is not null and l.missing_until is null`

/** A load `l` of a trip `t` with its parcel, bag or gunny. */
const loads = sql`
        from trip_loads l
        join trips t on t.id = l.trip_id
        left join parcels p on p.account_id = l.account_id and p.id = l.parcel_id
        left join bags b on b.id = l.bag_id
        left join gunnies g on g.id = l.gunny_id`

/** Whether a load itself is missing. The parcels of an opened bag are missing one by one. */
const isMissing = sql`
          case l.kind
            when 'parcel' then p.status <> 'lost' and ${isOnTrip(sql`p`)}
            when 'bag' then ${isBagOnTrip}
            else ${isGunnyOnTrip}
          end`

/** The parcels `q` that departed in the bag `b` of a load, and have not been seen since. */
const missingInBag = sql`
        from bag_parcels c
        join parcels q on q.account_id = c.account_id and q.id = c.parcel_id
        where c.bag_id = b.id
          and q.status <> 'lost'
          and ${isOnTheWaySince(
            sql`q`,
            sql`c.added_at`,
            sql`e.detail ->> 'bag' = b.number and e.detail ->> 'trip' = t.number`,
          )}`

function rowsOfLoads({ stationId, search }: MissingFilter) {
  const pattern = search && containing(toStoredNumber(search))
  const columns = sql`l.missing_at, t.id as trip_id, t.number as trip_number, t.from_station_id, t.to_station_id`
  const examined = sql`
        ${mayBeMissing}
          and (${stationId}::uuid is null or ${stationId}::uuid in (t.from_station_id, t.to_station_id))`
  return sql`
    from (
      select l.id as load_id, l.kind, coalesce(p.tracking_number, b.number, g.number) as number,
        coalesce(l.account_id, g.account_id) as account_id, l.parcel_count, ${columns}
      ${loads}
        where ${examined} and ${isMissing}
      union all
      select l.id, 'parcel', m.tracking_number, m.account_id, 1, ${columns}
      from trip_loads l
      join trips t on t.id = l.trip_id
      join bags b on b.id = l.bag_id and b.status = 'emptied'
      cross join lateral (
        select q.tracking_number, q.account_id
        ${missingInBag}
      ) m
      where ${examined}
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

/**
 * Records that missing loads have ended, at most `limit`, so that the list no longer examines them. Those with a scan
 * recorded since `undoable` stay, because it may be undone. Returns how many have ended.
 */
export async function endMissingLoads(
  db: DbOrTx,
  { now, undoable, limit }: { now: Date; undoable: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update trip_loads
    set missing_until = ${now}
    where (trip_id, id) in (
      select l.trip_id, l.id
      ${loads}
      where ${mayBeMissing}
        and (${isMissing}) is not true
        and not exists (select 1 ${missingInBag})
        and not exists (
          select 1
          from (
            select l.parcel_id
            union all
            select c.parcel_id from bag_parcels c where c.bag_id = l.bag_id
          ) s
          join tracking_events e on e.parcel_id = s.parcel_id
          where e.at >= t.departed_at and ${recordedAt} > ${undoable}
        )
      limit ${limit}::int
      for update of l skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
