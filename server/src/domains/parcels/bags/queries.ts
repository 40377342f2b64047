// Bags and their parcels.
import { countLimit } from '@waybill/contract/ground/paging'
import type { BagStatus } from '@waybill/contract/parcels/transport/bags'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { countRows } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Bags } from '../../../db/schema.ts'
import type { ParcelRow } from '../queries.ts'
import { hasLeftBag } from './queries-moves.ts'

export type BagRow = Omit<Selectable<Bags>, 'status'> & { status: BagStatus }
/** A bag with the parcels that it holds now, and the trip on which it is loaded, travels, or was missing. */
export type CountedBag = BagRow & {
  parcel_count: number
  weight_grams: number
  trip_id: string | null
  trip_number: string | null
  /** Whether that trip was closed without it. */
  is_missing: boolean
}

/** The parcels `p` of the rows `m` of `bag_parcels` that have not left the bag `b`. */
const isInBag = sql`
      p.account_id = m.account_id
      and p.id = m.parcel_id
      and case b.status
        when 'in_transit' then
          p.holder = 'carrier' and p.next_station_id = b.next_station_id and p.status in ('outbound', 'recall')
        when 'emptied' then false
        else p.station_id = b.station_id and p.holder in ('station', 'rider')
          and p.status in ('inbound', 'sorting', 'recall')
      end
      and not ${hasLeftBag}`

const selectCounted = sql`
    select b.*, c.parcel_count, c.weight_grams, t.id as trip_id, t.number as trip_number,
      coalesce(t.status = 'closed', false) as is_missing
    from bags b
    cross join lateral (
      select count(*)::int as parcel_count,
        coalesce(sum(coalesce(p.actual_grams, p.weight_grams)), 0)::int as weight_grams
      from bag_parcels m
      join parcels p on ${isInBag}
      where m.bag_id = b.id
    ) c
    left join lateral (
      select t.id, t.number, t.status
      from trip_loads l
      join trips t on t.id = l.trip_id
      where l.bag_id = b.id
        and l.loaded_at is not null
        and l.unloaded_at is null
        -- Another station may have unloaded it from this trip, or it from another one.
        and case b.status
          when 'in_transit' then
            t.status in ('under_way', 'unloading', 'closed') and t.to_station_id = b.next_station_id
          else t.status = 'loading' and t.from_station_id = b.station_id
        end
      order by t.departed_at desc nulls last, t.created_at desc
      limit 1
    ) t on true`

/** The next serial. Bags and gunnies share serials, because each has an SSCC. */
export async function nextBagSerial(trx: DbOrTx): Promise<number> {
  const { rows } = await sql<{ serial: number }>`select nextval('gunny_serial') as serial`.execute(trx)
  return rows[0]?.serial ?? 0
}

export type NewBag = Pick<
  BagRow,
  'id' | 'number' | 'sscc' | 'station_id' | 'to_station_id' | 'created_by' | 'created_at' | 'updated_at'
>

export async function insertBag(trx: DbOrTx, bag: NewBag): Promise<void> {
  await trx.insertInto('bags').values(bag).execute()
}

export async function findBag(db: DbOrTx, by: 'sscc' | 'number' | 'id', value: string): Promise<CountedBag | null> {
  const { rows } = await sql<CountedBag>`${selectCounted} where b.${sql.ref(by)} = ${value}`.execute(db)
  return rows[0] ?? null
}

/** Locked bags, in the order of their ids. Bags are locked after trips and before parcels, to avoid deadlocks. */
export async function lockBags(trx: DbOrTx, ids: readonly string[]): Promise<BagRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<BagRow>`
    select * from bags where id = any(${ids}::uuid[]) order by id for update`.execute(trx)
  return rows
}

export type BagFilter = {
  statuses: readonly BagStatus[] | null
  stationId: string | null
  descending: boolean
  offset: number
  limit: number
}

export async function listBagRows(db: DbOrTx, filter: BagFilter): Promise<{ rows: CountedBag[]; total: number }> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  // Literals: the planner knows that few bags are in progress, and uses the index of the statuses.
  if (filter.statuses) conditions.push(sql`b.status in (${sql.join(filter.statuses.map((each) => sql.lit(each)))})`)
  if (filter.stationId) {
    conditions.push(
      sql`${filter.stationId}::uuid = case b.status when 'in_transit' then b.next_station_id else b.station_id end`,
    )
  }
  const where = sql.join(conditions, sql` and `)
  const direction = filter.descending ? sql`desc` : sql`asc`
  const [page, total] = await Promise.all([
    sql<CountedBag>`
      ${selectCounted}
      where ${where}
      order by b.updated_at ${direction}, b.id ${direction}
      limit ${filter.limit} offset ${filter.offset}`.execute(db),
    countRows(db, sql`from bags b where ${where}`, countLimit),
  ])
  return { rows: page.rows, total }
}

/** The parcels that bags hold now, those added last first. */
export async function listParcelsInBags(
  db: DbOrTx,
  bagIds: readonly string[],
): Promise<(ParcelRow & { bag_id: string })[]> {
  if (bagIds.length === 0) return []
  const { rows } = await sql<ParcelRow & { bag_id: string }>`
    select p.*, b.id as bag_id
    from bags b
    join bag_parcels m on m.bag_id = b.id
    join parcels p on ${isInBag}
    where b.id = any(${bagIds}::uuid[])
    order by b.id, m.added_at desc, p.id desc`.execute(db)
  return rows
}

/** The number of the bag that holds a parcel now; null: none. */
export async function findBagOfParcel(db: DbOrTx, parcelId: string): Promise<Pick<BagRow, 'id' | 'number'> | null> {
  const { rows } = await sql<Pick<BagRow, 'id' | 'number'>>`
    select b.id, b.number
    from bag_parcels m
    join bags b on b.id = m.bag_id
    join parcels p on ${isInBag}
    where m.parcel_id = ${parcelId}::uuid
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** The number of the trip that is loading a parcel individually; null: none. */
export async function findLoadingTrip(db: DbOrTx, parcelId: string): Promise<string | null> {
  const { rows } = await sql<{ number: string }>`
    select t.number
    from trip_loads l
    join trips t on t.id = l.trip_id
    where l.parcel_id = ${parcelId}::uuid and t.status = 'loading'
    limit 1`.execute(db)
  return rows[0]?.number ?? null
}

export async function insertBagParcel(
  trx: DbOrTx,
  bagId: string,
  parcel: ParcelRow,
  userId: string,
  at: Date,
): Promise<void> {
  await sql`
    insert into bag_parcels (bag_id, account_id, parcel_id, added_by, added_at)
    values (${bagId}::uuid, ${parcel.account_id}::uuid, ${parcel.id}::uuid, ${userId}::uuid, ${at})
    on conflict (bag_id, parcel_id) do update set added_by = excluded.added_by, added_at = excluded.added_at`.execute(
    trx,
  )
}

/** Removes a parcel from a bag; false: it was not in it. */
export async function deleteBagParcel(trx: DbOrTx, bagId: string, parcelId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from bag_parcels
    where bag_id = ${bagId}::uuid and parcel_id = ${parcelId}::uuid
    returning parcel_id`.execute(trx)
  return rows.length > 0
}

export type BagChanges = Partial<Pick<BagRow, 'status' | 'station_id' | 'next_station_id' | 'seal_number'>>

export async function updateBag(trx: DbOrTx, bag: BagRow, changes: BagChanges, at: Date): Promise<void> {
  await trx
    .updateTable('bags')
    .set({ ...changes, version: bag.version + 1, updated_at: at })
    .where('id', '=', bag.id)
    .execute()
}

/** Parcels of any account, locked in the order of their ids. */
export async function lockParcels(trx: DbOrTx, ids: readonly string[]): Promise<ParcelRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ParcelRow>`
    select * from parcels where id = any(${ids}::uuid[]) order by id for update`.execute(trx)
  return rows
}
