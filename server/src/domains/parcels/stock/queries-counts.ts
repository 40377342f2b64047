// Queries on counts of the stock.
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { StockCounts } from '../../../db/schema.ts'
import type { ParcelRow } from '../queries.ts'

export type StockCountRow = Selectable<StockCounts>

export type NumberAtStation = { id: string; tracking_number: string }

/** The numbers of the parcels that a station has, up to `limit`; `until`: only of those without an event after it. */
export async function listNumbersAtStation(
  db: DbOrTx,
  stationId: string,
  until: Date | null,
  limit: number,
): Promise<NumberAtStation[]> {
  const { rows } = await sql<NumberAtStation>`
    select id, tracking_number
    from parcels
    where holder = 'station'
      and station_id = ${stationId}::uuid
      and tracking_number is not null
      and (${until}::timestamptz is null or last_event_at is null or last_event_at <= ${until}::timestamptz)
    order by last_event_at, id
    limit ${limit}::int`.execute(db)
  return rows
}

/** The numbers of the parcels that riders of a station have after a failed attempt. They may be back at the station. */
export async function listFailedAtStation(db: DbOrTx, stationId: string): Promise<NumberAtStation[]> {
  const { rows } = await sql<NumberAtStation>`
    select id, tracking_number
    from parcels
    where status = 'fail-to-deliver'
      and holder = 'rider'
      and station_id = ${stationId}::uuid
      and tracking_number is not null
    order by last_event_at, id`.execute(db)
  return rows
}

/** Parcels by their numbers. */
export async function listParcelsByNumbers(db: DbOrTx, numbers: readonly string[]): Promise<ParcelRow[]> {
  if (numbers.length === 0) return []
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where tracking_number = any(${numbers}::text[])
    order by tracking_number`.execute(db)
  return rows
}

export async function insertStockCount(trx: DbOrTx, row: StockCountRow): Promise<void> {
  await trx.insertInto('stock_counts').values(row).execute()
}

/** The last count of a station. */
export async function findLastStockCount(db: DbOrTx, stationId: string): Promise<StockCountRow | undefined> {
  const { rows } = await sql<StockCountRow>`
    select *
    from stock_counts
    where station_id = ${stationId}::uuid
    order by counted_at desc, id desc
    limit 1`.execute(db)
  return rows[0]
}
