// Trips and their loads.
import { countLimit } from '@waybill/contract/ground/paging'
import { toStoredNumber } from '@waybill/contract/ground/tracking-number'
import { type LoadKind, type SealReading, type TripStatus, tripTabs } from '@waybill/contract/parcels/transport/trips'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { containing } from '../../../db/conditions/like.ts'
import { countRows, countTabs } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { TripLoads, Trips } from '../../../db/schema.ts'
import type { ParcelRow } from '../queries.ts'

type TripTypes = { status: TripStatus; seal: SealReading | null }
export type TripRow = Omit<Selectable<Trips>, keyof TripTypes> & TripTypes

type LoadTypes = { kind: LoadKind }
export type StoredLoad = Omit<Selectable<TripLoads>, keyof LoadTypes> & LoadTypes
/** A load with what a manifest needs. */
export type LoadRow = StoredLoad & {
  number: string
  sscc: string | null
  seal_number: string | null
  /** Where a bag is emptied. */
  to_station_id: string | null
  receiver: ParcelRow['receiver']
  /** Whether its custody says that it is on the way to the trip's destination, or it was declared lost. */
  on_the_way: boolean
  /** Whether another station has it. */
  elsewhere: boolean
  /** The parcels of an opened bag that have not arrived one by one. */
  missing: string[]
}

export async function nextTripSerial(trx: DbOrTx): Promise<number> {
  const { rows } = await sql<{ serial: number }>`select nextval('trip_serial') as serial`.execute(trx)
  return rows[0]?.serial ?? 0
}

export type NewTrip = Pick<
  TripRow,
  'id' | 'number' | 'from_station_id' | 'to_station_id' | 'vehicle' | 'driver_name' | 'created_by' | 'created_at'
>

export async function insertTrip(trx: DbOrTx, trip: NewTrip): Promise<void> {
  await trx.insertInto('trips').values(trip).execute()
}

export async function findTrip(db: DbOrTx, id: string): Promise<TripRow | null> {
  const { rows } = await sql<TripRow>`select * from trips where id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/** A locked trip. Trips are locked before bags, gunnies and parcels, to avoid deadlocks. */
export async function findLockedTrip(trx: DbOrTx, id: string): Promise<TripRow | null> {
  const { rows } = await sql<TripRow>`select * from trips where id = ${id}::uuid for update`.execute(trx)
  return rows[0] ?? null
}

export type TripChanges = Partial<Omit<TripRow, 'id' | 'number' | 'version' | 'created_by' | 'created_at'>>

export async function updateTripRow(trx: DbOrTx, trip: TripRow, changes: TripChanges): Promise<void> {
  await trx
    .updateTable('trips')
    .set({ ...changes, version: trip.version + 1 })
    .where('id', '=', trip.id)
    .execute()
}

/** Whether a parcel is on the way to the destination of the trip `t`, or was declared lost. */
const isOnTheWay = (parcel: RawBuilder<unknown>) => sql`
            (${parcel}.status = 'lost' or ${parcel}.status in ('outbound', 'recall')
              and ${parcel}.holder in ('carrier', 'gunny') and ${parcel}.next_station_id = t.to_station_id)`

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
      join bag_parcels m on m.bag_id = l.bag_id
      join parcels p on p.account_id = m.account_id and p.id = m.parcel_id
      where l.trip_id = ${trip.id}::uuid and ${isOnTheWay(sql`p`)}
      union all
      select l.id, p.actual_grams, p.weight_grams
      from trip_loads l
      join trips t on t.id = l.trip_id
      join gunnies g on g.id = l.gunny_id
      join parcels p on p.account_id = g.account_id and p.gunny_id = g.id
      where l.trip_id = ${trip.id}::uuid and ${isOnTheWay(sql`p`)}
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

/** Sets the figures of the manifest from its loads. */
export async function countManifest(trx: DbOrTx, trip: TripRow): Promise<void> {
  await sql`
    update trips t
    set load_count = l.loads,
      parcel_count = l.parcels,
      weight_grams = l.grams,
      version = t.version + 1
    from (
      select count(*)::int as loads, coalesce(sum(parcel_count), 0)::int as parcels,
        coalesce(sum(weight_grams), 0)::bigint as grams
      from trip_loads
      where trip_id = ${trip.id}::uuid and loaded_at is not null
    ) l
    where t.id = ${trip.id}::uuid`.execute(trx)
}

export type TripNarrowing = { status: TripStatus | null; stationId: string | null; search: string | null }

/** The condition of a filter on `trips t`. */
function condition({ status, stationId, search }: TripNarrowing): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (status) conditions.push(sql`t.status = ${status}`)
  if (stationId) {
    conditions.push(sql`(t.from_station_id = ${stationId}::uuid or t.to_station_id = ${stationId}::uuid)`)
  }
  if (search) {
    const part = containing(search)
    conditions.push(sql`(
      replace(t.vehicle, ' ', '') ilike ${containing(search.replace(/\s/g, ''))}
      or t.driver_name ilike ${part}
      or t.number like ${containing(toStoredNumber(search))})`)
  }
  return sql.join(conditions, sql` and `)
}

/** A page of trips, and the number of trips in each tab, at most `countLimit`. */
export async function listTripRows(
  db: DbOrTx,
  filter: TripNarrowing & { descending: boolean; offset: number; limit: number },
): Promise<{ rows: TripRow[]; counts: Record<(typeof tripTabs)[number], number> }> {
  const direction = filter.descending ? sql`desc` : sql`asc`
  const [{ rows }, counts] = await Promise.all([
    sql<TripRow>`
      select t.*
      from trips t
      where ${condition(filter)}
      order by t.created_at ${direction}, t.id ${direction}
      limit ${filter.limit} offset ${filter.offset}`.execute(db),
    countTabs(tripTabs, (tab) => {
      const where = condition({ ...filter, status: tab === 'all' ? null : tab })
      return countRows(db, sql`from trips t where ${where}`, countLimit)
    }),
  ])
  return { rows, counts }
}

/** The loads of a trip, those loaded last first, then extra ones. */
export async function listLoads(db: DbOrTx, trip: TripRow): Promise<LoadRow[]> {
  const { rows } = await sql<LoadRow>`
    select l.*,
      coalesce(p.tracking_number, b.number, g.number) as number,
      coalesce(b.sscc, g.sscc) as sscc,
      coalesce(b.seal_number, g.seal_number) as seal_number,
      b.to_station_id,
      p.receiver,
      coalesce(
        case l.kind
          when 'parcel' then ${isOnTheWay(sql`p`)}
          when 'bag' then b.status = 'in_transit' and b.next_station_id = t.to_station_id
          else g.status = 'in_transit' and g.next_station_id = t.to_station_id
        end, false) as on_the_way,
      coalesce(
        case l.kind
          when 'parcel' then p.station_id <> t.to_station_id
          when 'bag' then b.status = 'at_station' and b.station_id <> t.to_station_id
          else g.status = 'at_station' and g.station_id <> t.to_station_id
        end, false) as elsewhere,
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
        and l.unloaded_at is not null
        and b.status = 'emptied'
        and ${isOnTheWay(sql`q`)}
    ) o on true
    where t.id = ${trip.id}::uuid
    order by l.loaded_at desc nulls last, l.id desc`.execute(db)
  return rows
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
      join trip_loads o on o.bag_id = m.bag_id
      where m.parcel_id = ${parcel.id}::uuid and o.unloaded_at is not null
    ) l
    join trips t on t.id = l.trip_id
    join parcels p on p.account_id = ${parcel.account_id}::uuid and p.id = ${parcel.id}::uuid
    where l.loaded_at is not null
      and case t.status
        when 'loading' then true
        when 'under_way' then ${isOnTheWay(sql`p`)}
        when 'unloading' then ${isOnTheWay(sql`p`)}
        when 'closed' then l.missing_at is not null and ${isOnTheWay(sql`p`)}
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

/** Whether a parcel came in an opened bag of the trip. */
export async function isFromOpenedBag(trx: DbOrTx, tripId: string, parcelId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from bag_parcels m
    join trip_loads l on l.bag_id = m.bag_id
    join bags b on b.id = m.bag_id
    where m.parcel_id = ${parcelId}::uuid
      and l.trip_id = ${tripId}::uuid
      and b.status = 'emptied'
    limit 1`.execute(trx)
  return rows.length > 0
}

export async function insertLoad(trx: DbOrTx, load: Omit<StoredLoad, 'missing_at'>): Promise<void> {
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

/** Parcels of any account, locked in the order of their ids. */
export async function lockParcelsOfLoads(trx: DbOrTx, ids: readonly string[]): Promise<ParcelRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ParcelRow>`
    select * from parcels where id = any(${ids}::uuid[]) order by id for update`.execute(trx)
  return rows
}
