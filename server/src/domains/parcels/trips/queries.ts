// Trips.
import { countLimit } from '@waybill/contract/ground/paging'
import { toStoredNumber } from '@waybill/contract/ground/tracking-number'
import { type SealReading, type TripStatus, tripTabs } from '@waybill/contract/parcels/transport/trips'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { containing } from '../../../db/conditions/like.ts'
import { countRows, countTabs } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Trips } from '../../../db/schema.ts'

type TripTypes = { status: TripStatus; seal: SealReading | null }
export type TripRow = Omit<Selectable<Trips>, keyof TripTypes> & TripTypes

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
