// The loads of trips.
import type { LoadKind } from '@waybill/contract/parcels/transport/trips'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { TripLoads } from '../../../db/schema.ts'
import { hasArrivedSince, isOnTheWaySince } from '../bags/queries-moves.ts'
import type { ParcelRow } from '../queries.ts'
import type { TripRow } from './queries.ts'

type LoadTypes = { kind: LoadKind }
export type StoredLoad = Omit<Selectable<TripLoads>, keyof LoadTypes> & LoadTypes
/** The columns that determine the last station of a parcel (`ParcelRouting`). */
const parcelColumns = [
  'status',
  'leg',
  'carrier',
  'delivery_mode',
  'sender',
  'receiver',
  'self_collection_station_id',
  'drop_off_station_id',
] as const
/** A load with what a manifest needs. */
export type LoadRow = StoredLoad & {
  number: string
  sscc: string | null
  seal_number: string | null
  /** Where a bag is emptied. */
  to_station_id: string | null
  /** Null: a bag or a gunny. */
  parcel: Pick<ParcelRow, (typeof parcelColumns)[number]> | null
  /** Whether it is still on its way with the trip, or was lost on it; false if its state does not depend on that. */
  on_the_way: boolean
  /** Whether it has not arrived at the trip's destination, wherever it is; for a bag and a gunny, where it is. */
  elsewhere: boolean
  /** The parcels of an opened bag that have not arrived one by one. */
  missing: string[]
}

/** Whether a parcel is on the way with the trip `t`, or was lost on it. */
export const isOnTrip = (parcel: RawBuilder<unknown>, condition = sql`true`) =>
  isOnTheWaySince(parcel, sql`t.departed_at`, sql`e.detail ->> 'trip' = t.number and ${condition}`)

/** Whether a parcel was in the bag `b` when that departed. */
const isWithBag = sql`e.detail ->> 'bag' = b.number`

/**
 * Sets the figures of bags and gunnies to the parcels that departed in them: some may have been scanned individually
 * since they were loaded.
 */
export async function countDepartedParcels(trx: DbOrTx, trip: TripRow): Promise<void> {
  await sql`
    with departed as (
      select l.id, p.actual_grams, p.weight_grams
      from trip_loads l
      join trips t on t.id = l.trip_id
      join bags b on b.id = l.bag_id
      join bag_parcels m on m.bag_id = b.id
      join parcels p on p.account_id = m.account_id and p.id = m.parcel_id
      where l.trip_id = ${trip.id}::uuid and ${isOnTrip(sql`p`, isWithBag)}
      union all
      select l.id, p.actual_grams, p.weight_grams
      from trip_loads l
      join trips t on t.id = l.trip_id
      join gunnies g on g.id = l.gunny_id
      join parcels p on p.account_id = g.account_id and p.gunny_id = g.id
      where l.trip_id = ${trip.id}::uuid and ${isOnTrip(sql`p`)}
    ), figures as (
      select id, count(*)::int as parcels, sum(coalesce(actual_grams, weight_grams, 0))::int as grams
      from departed
      group by id
    )
    update trip_loads l
    set parcel_count = f.parcels, weight_grams = f.grams
    from figures f
    where l.trip_id = ${trip.id}::uuid and l.id = f.id`.execute(trx)
}

const columnsOfP = sql.join(parcelColumns.flatMap((column) => [sql.lit(column), sql.ref(`p.${column}`)]))

/** The bag or gunny of the load `l` is still on its way with the trip `t`, and has not gone on with another one. */
export const isBagOnTrip = sql`
            b.status = 'in_transit' and b.next_station_id = t.to_station_id and not exists (
              select 1
              from trip_loads y
              join trips z on z.id = y.trip_id
              where y.bag_id = b.id and z.departed_at > t.departed_at
            )`
export const isGunnyOnTrip = sql`
            g.status = 'in_transit' and g.next_station_id = t.to_station_id and not exists (
              select 1
              from gunny_checks c
              where c.account_id = g.account_id and c.gunny_id = g.id and c.event = 'arrived' and c.at > t.departed_at
            )`

/** Loads `l` of trips `t` with their parcel `p`, bag `b` or gunny `g`, and what became of them. */
const selectLoads = sql`
    select l.*,
      coalesce(p.tracking_number, b.number, g.number) as number,
      coalesce(b.sscc, g.sscc) as sscc,
      coalesce(b.seal_number, g.seal_number) as seal_number,
      b.to_station_id,
      case when p.id is not null then json_build_object(${columnsOfP}) end as parcel,
      case
        -- Reading timelines takes time, and the state of these loads does not depend on them (loadState).
        when l.missing_at is null and (t.status not in ('under_way', 'unloading') or l.unloaded_at is not null)
          then false
        when l.kind = 'parcel' then ${isOnTrip(sql`p`)}
        when l.kind = 'bag' then ${isBagOnTrip}
        else ${isGunnyOnTrip}
      end as on_the_way,
      case
        when t.status not in ('under_way', 'unloading') or l.unloaded_at is not null then false
        when l.kind = 'parcel' then not ${hasArrivedSince(sql`p`, sql`t.departed_at`, sql`t.to_station_id`)}
        when l.kind = 'bag' then b.status in ('at_station', 'emptied') and b.station_id <> t.to_station_id
        else g.status = 'at_station' and g.station_id <> t.to_station_id
      end as elsewhere,
      coalesce(o.numbers, '{}') as missing
    from trips t
    join trip_loads l on l.trip_id = t.id
    left join parcels p on p.account_id = l.account_id and p.id = l.parcel_id
    left join bags b on b.id = l.bag_id
    left join gunnies g on g.id = l.gunny_id
    left join lateral (
      select array_agg(q.tracking_number order by q.tracking_number) as numbers
      from bag_parcels m
      join parcels q on q.account_id = m.account_id and q.id = m.parcel_id
      where m.bag_id = l.bag_id
        and b.status = 'emptied'
        and ${isOnTheWaySince(
          sql`q`,
          sql`m.added_at`,
          // An extra bag departed with another trip.
          sql`${isWithBag} and case when l.loaded_at is null then e.at < l.unloaded_at
            else e.detail ->> 'trip' = t.number end`,
        )}
    ) o on true`

/** The loads of a trip, those loaded last first, then extra ones. */
export async function listLoads(db: DbOrTx, trip: TripRow): Promise<LoadRow[]> {
  const { rows } = await sql<LoadRow>`
    ${selectLoads}
    where t.id = ${trip.id}::uuid
    order by l.loaded_at desc nulls last, l.id desc`.execute(db)
  return rows
}

/** One load of a trip. */
export async function findLoadRow(db: DbOrTx, tripId: string, id: string): Promise<LoadRow | null> {
  const { rows } = await sql<LoadRow>`
    ${selectLoads}
    where l.trip_id = ${tripId}::uuid and l.id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/**
 * The trip on which a parcel is loaded, alone or in its bag or gunny, travels, or was missing and not scanned since;
 * null: none.
 */
export async function findTripOfParcel(
  db: DbOrTx,
  parcel: ParcelRow,
  bagId: string | null,
): Promise<{ id: string; number: string; missing: boolean } | null> {
  const gunnyId = parcel.holder === 'gunny' ? parcel.gunny_id : null
  // A lookup in an index for each way to be on a trip: with conditions joined by `or` all loads would be read.
  const { rows } = await sql<{ id: string; number: string; missing: boolean }>`
    select t.id, t.number, t.status = 'closed' as missing
    from (
      select * from trip_loads where parcel_id = ${parcel.id}::uuid
      union all
      select * from trip_loads where bag_id = ${bagId}::uuid
      union all
      select * from trip_loads where gunny_id = ${gunnyId}::uuid
      union all
      select o.*
      from bag_parcels m
      join bags b on b.id = m.bag_id and b.status = 'emptied'
      join trip_loads o on o.bag_id = m.bag_id
      where m.parcel_id = ${parcel.id}::uuid
    ) l
    join trips t on t.id = l.trip_id
    join parcels p on p.account_id = ${parcel.account_id}::uuid and p.id = ${parcel.id}::uuid
    where l.loaded_at is not null
      and case t.status
        when 'loading' then true
        when 'under_way' then ${isOnTrip(sql`p`)}
        when 'unloading' then ${isOnTrip(sql`p`)}
        when 'closed' then l.missing_at is not null and ${isOnTrip(sql`p`)}
        else false
      end
    order by t.created_at desc, t.id desc
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** The parcel, the bag or the gunny of a load; the others are null. */
export type LoadSubject = Pick<StoredLoad, 'parcel_id' | 'bag_id' | 'gunny_id'>

/** The load of a trip that is this parcel, bag or gunny. */
export async function findLoad(
  trx: DbOrTx,
  tripId: string,
  { parcel_id, bag_id, gunny_id }: LoadSubject,
): Promise<StoredLoad | null> {
  const { rows } = await sql<StoredLoad>`
    select *
    from trip_loads
    where trip_id = ${tripId}::uuid
      and (parcel_id = ${parcel_id}::uuid or bag_id = ${bag_id}::uuid or gunny_id = ${gunny_id}::uuid)`.execute(trx)
  return rows[0] ?? null
}

/** The number of another trip that is loading this parcel, bag or gunny. */
export async function findOtherTrip(
  trx: DbOrTx,
  tripId: string,
  { parcel_id, bag_id, gunny_id }: LoadSubject,
): Promise<string | null> {
  const { rows } = await sql<{ number: string }>`
    select t.number
    from trip_loads l
    join trips t on t.id = l.trip_id
    where (l.parcel_id = ${parcel_id}::uuid or l.bag_id = ${bag_id}::uuid or l.gunny_id = ${gunny_id}::uuid)
      and t.id <> ${tripId}::uuid
      and t.status = 'loading'
    limit 1`.execute(trx)
  return rows[0]?.number ?? null
}

/** The load that is the opened bag in which a parcel came with the trip; null: none. */
export async function findOpenedBagLoad(trx: DbOrTx, tripId: string, parcelId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select l.id
    from bag_parcels m
    join trip_loads l on l.bag_id = m.bag_id
    join bags b on b.id = m.bag_id
    where m.parcel_id = ${parcelId}::uuid
      and l.trip_id = ${tripId}::uuid
      and b.status = 'emptied'
    limit 1`.execute(trx)
  return rows[0]?.id ?? null
}

export async function insertLoad(trx: DbOrTx, load: Omit<StoredLoad, 'missing_at' | 'missing_until'>): Promise<void> {
  await trx.insertInto('trip_loads').values(load).execute()
}

export async function deleteLoad(trx: DbOrTx, tripId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from trip_loads
    where trip_id = ${tripId}::uuid and id = ${id}::uuid
    returning id`.execute(trx)
  return rows.length > 0
}

export async function markUnloaded(trx: DbOrTx, load: StoredLoad, userId: string, at: Date): Promise<void> {
  await trx
    .updateTable('trip_loads')
    .set({ unloaded_at: at, unloaded_by: userId })
    .where('trip_id', '=', load.trip_id)
    .where('id', '=', load.id)
    .execute()
}

export async function markMissing(trx: DbOrTx, tripId: string, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update trip_loads
    set missing_at = ${at}
    where trip_id = ${tripId}::uuid and id = any(${ids}::uuid[])`.execute(trx)
}
