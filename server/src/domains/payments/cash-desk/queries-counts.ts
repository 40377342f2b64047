/** Queries on the counts of drawers: closing, and reopening by a supervisor. */
import type { CashPiece } from '@waybill/contract/payments/coins'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { CashCounts } from '../../../db/schema.ts'
import type { ShiftRow } from './queries.ts'

export type CountRow = Selectable<CashCounts>

/** Keeps a count of a locked drawer, whether or not it is accepted. */
export async function insertCount(trx: DbOrTx, row: CountRow): Promise<void> {
  await sql`
    insert into cash_counts (
      drawer_id, id, counted_minor, expected_minor, reason, accepted, counted_by, counted_at
    )
    values (
      ${row.drawer_id}::uuid, ${row.id}::uuid, ${row.counted_minor}::bigint, ${row.expected_minor}::bigint,
      ${row.reason}::text, ${row.accepted}, ${row.counted_by}::uuid, ${row.counted_at}::timestamptz
    )`.execute(trx)
}

/** The counts of drawers, each drawer's last one first. */
export async function listCounts(db: DbOrTx, drawerIds: readonly string[]): Promise<CountRow[]> {
  if (drawerIds.length === 0) return []
  const { rows } = await sql<CountRow>`
    select *
    from cash_counts
    where drawer_id = any(${drawerIds}::uuid[])
    order by drawer_id, counted_at desc, id desc`.execute(db)
  return rows
}

/** Closes a locked drawer. */
export async function setClosed(
  trx: DbOrTx,
  drawer: ShiftRow,
  set: { countedMinor: number; pieces: CashPiece[] | null; reason: string | null; by: string; at: Date },
): Promise<void> {
  await sql`
    update cash_drawers
    set counted_minor = ${set.countedMinor}::bigint, pieces = ${set.pieces && JSON.stringify(set.pieces)}::jsonb,
      difference_minor = ${set.countedMinor}::bigint - balance_minor, reason = ${set.reason}::text,
      closed_by = ${set.by}::uuid, closed_at = ${set.at}::timestamptz, version = version + 1
    where id = ${drawer.id}::uuid`.execute(trx)
}

/** Whether the next shift of a locked drawer has begun. */
export async function hasLaterShift(trx: DbOrTx, drawer: ShiftRow): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from cash_drawers
    where station_id = ${drawer.station_id}::uuid and number = ${drawer.number}::int
      and (day, shift) > (${drawer.day}::date, ${drawer.shift}::int)
    limit 1`.execute(trx)
  return rows.length > 0
}

/** Reopens a locked drawer. Its accepted count stays in `cash_counts`. */
export async function setReopened(
  trx: DbOrTx,
  drawer: ShiftRow,
  set: { reason: string; by: string; at: Date },
): Promise<void> {
  await sql`
    update cash_drawers
    set counted_minor = null, pieces = null, difference_minor = null, reason = null, closed_by = null,
      closed_at = null, reopened_by = ${set.by}::uuid, reopened_at = ${set.at}::timestamptz,
      reopen_reason = ${set.reason}, version = version + 1
    where id = ${drawer.id}::uuid`.execute(trx)
}
