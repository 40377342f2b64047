/** Queries on hand-ins. */
import { countLimit } from '@waybill/contract/ground/paging'
import type { CashPiece } from '@waybill/contract/payments/coins'
import { type Selectable, sql } from 'kysely'
import { readPage } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { CashHandIns } from '../../../db/schema.ts'

export type HandInRow = Omit<Selectable<CashHandIns>, 'pieces'> & { pieces: CashPiece[] | null }

/** Inserts a hand-in with the next number of its station and day, such as `KUL-20261122-H000012`. */
export async function insertHandIn(
  trx: DbOrTx,
  row: Omit<HandInRow, 'number'> & { numberStart: string },
): Promise<HandInRow> {
  const { rows } = await sql<HandInRow>`
    insert into cash_hand_ins (
      id, number, drawer_id, station_id, rider_id, counted_by, currency, parcel_count, expected_minor, counted_minor,
      pieces, reason, created_at
    )
    values (
      ${row.id}::uuid, ${row.numberStart}::text || '-H' || lpad(nextval('cash_hand_in_serial')::text, 6, '0'),
      ${row.drawer_id}::uuid, ${row.station_id}::uuid, ${row.rider_id}::uuid, ${row.counted_by}::uuid,
      ${row.currency}, ${row.parcel_count}::int, ${row.expected_minor}::bigint, ${row.counted_minor}::bigint,
      ${row.pieces && JSON.stringify(row.pieces)}::jsonb, ${row.reason}::text, ${row.created_at}::timestamptz
    )
    returning *`.execute(trx)
  return rows[0] as HandInRow
}

/** `stationId` null: of any station. */
export async function findHandIn(db: DbOrTx, stationId: string | null, id: string): Promise<HandInRow | undefined> {
  const { rows } = await sql<HandInRow>`
    select *
    from cash_hand_ins
    where id = ${id}::uuid and (${stationId}::uuid is null or station_id = ${stationId}::uuid)`.execute(db)
  return rows[0]
}

/** Numbers of hand-ins by id. Movements that are older than hand-ins have none. */
export async function handInNumbers(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; number: string }>`
    select id, number from cash_hand_ins where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, number }) => [id, number]))
}

export type HandInFilter = { stationId: string | null; difference: 'any' | 'none' | null }

/** A page of hand-ins, newest first. */
export async function handInPage(
  db: DbOrTx,
  { stationId, difference }: HandInFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: HandInRow[]; total: number }> {
  const fits = sql`(${stationId}::uuid is null or station_id = ${stationId}::uuid)
    and (${difference}::text is null or (counted_minor <> expected_minor) = (${difference}::text = 'any'))`
  return readPage(
    db,
    sql<HandInRow>`
      select *
      from cash_hand_ins
      where ${fits}
      order by created_at desc, id desc
      limit ${limit}::int offset ${offset}::int`,
    sql`cash_hand_ins where ${fits}`,
    countLimit,
  )
}
