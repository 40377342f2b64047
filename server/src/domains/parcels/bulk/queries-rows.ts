// Rows of batches, from the spreadsheet to the cart.
import type { Label } from '@waybill/contract/ground/enums/labels'
import type { BulkField, bulkRowStates } from '@waybill/contract/parcels/bulk'
import type { ParcelOverride } from '@waybill/contract/parcels/parcels'
import { type Selectable, sql } from 'kysely'
import { type Db, type DbOrTx, tx } from '../../../db/pool.ts'
import type { BulkRows } from '../../../db/schema.ts'
import { type BatchRow, updateBatch } from './queries-batches.ts'

/** A problem as it is stored: codes and values, because each reader gets the message in their own language. */
export type KeptProblem = {
  column: BulkField | null
  code: string
  vars?: Record<string, string | number | readonly string[]>
  suggestion?: string
  /** Values of the message that depend on the reader's language. */
  labels?: Record<string, Label>
}

/** Codes of warnings: a row can be shipped with these problems. */
const warnings = new Set(['row_hidden', 'merged', 'overridden'])

/** Whether the row can be shipped with the problem. */
export const isWarning = ({ code }: KeptProblem): boolean => warnings.has(code)

export type RowState = (typeof bulkRowStates)[number]

type ColumnTypes = {
  cells: string[]
  problems: KeptProblem[] | null
  state: RowState
  overrides: ParcelOverride[] | null
  override_duplicate: boolean
}
export type BulkRowRow = Omit<
  Selectable<BulkRows>,
  keyof ColumnTypes | 'account_id' | 'batch_id' | 'anyway' | 'insisted'
> &
  ColumnTypes

// `anyway` and `insisted` keep their first names: web processes of the release before use them during an upgrade.
const rowColumns = sql.raw(`
      r.row_number, r.cells, r.problems, r.state, r.price_minor, r.hash, r.anyway as override_duplicate,
      r.insisted as overrides, r.parcel_id, r.version`)

const ofBatch = ({ account_id, id }: BatchRow) => sql`r.account_id = ${account_id}::uuid and r.batch_id = ${id}::uuid`

/** A row that was checked and is not stored yet. */
export type NewBulkRow = Omit<BulkRowRow, 'version' | 'parcel_id'>
const recordType = sql.raw(`
      row_number int, cells jsonb, problems jsonb, state text, price_minor bigint, hash text,
      override_duplicate boolean, overrides jsonb, version int`)

export async function insertBulkRows(db: DbOrTx, batch: BatchRow, rows: readonly NewBulkRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into bulk_rows (
      account_id, batch_id, row_number, cells, problems, state, price_minor, hash, anyway, insisted)
    select ${batch.account_id}::uuid, ${batch.id}::uuid, row_number, cells, problems, state, price_minor, hash,
      override_duplicate, overrides
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(${recordType})`.execute(db)
}

/** Stores rows while the file is being read; `progress`, if given, is the number of rows read so far. */
export async function insertUnread(
  db: Db,
  batch: BatchRow,
  rows: readonly NewBulkRow[],
  progress: number | null,
  at: Date,
): Promise<void> {
  await tx(db, async (trx) => {
    await insertBulkRows(trx, batch, rows)
    if (progress !== null) await updateBatch(trx, batch, { rows_read: progress }, at)
  })
}

/** The number of rows of a batch, and the highest row number. */
export async function countBulkRows(db: DbOrTx, batch: BatchRow): Promise<{ total: number; last: number }> {
  const { rows } = await sql<{ total: number; last: number }>`
    select count(*)::int as total, coalesce(max(r.row_number), 0)::int as last
    from bulk_rows r
    where ${ofBatch(batch)}`.execute(db)
  return rows[0] ?? { total: 0, last: 0 }
}

/**
 * Updates rows and returns them as updated. Rows whose version has changed since they were read, or that became
 * parcels, are skipped and not returned.
 */
export async function updateBulkRows(
  trx: DbOrTx,
  batch: BatchRow,
  rows: readonly (NewBulkRow & { version: number })[],
): Promise<BulkRowRow[]> {
  if (rows.length === 0) return []
  const { rows: updated } = await sql<BulkRowRow>`
    update bulk_rows r
    set cells = t.cells, problems = t.problems, state = t.state, price_minor = t.price_minor, hash = t.hash,
      anyway = t.override_duplicate, insisted = t.overrides, version = r.version + 1
    from json_to_recordset(${JSON.stringify(rows)}::json) as t(${recordType})
    where ${ofBatch(batch)} and r.row_number = t.row_number and r.version = t.version and r.state <> 'carted'
    returning ${rowColumns}`.execute(trx)
  return updated.sort((a, b) => a.row_number - b.row_number)
}

/** Links rows to the parcels that were created from them. */
export async function setCarted(
  trx: DbOrTx,
  batch: BatchRow,
  parcels: readonly { row_number: number; parcel_id: string; price_minor: number | null }[],
): Promise<void> {
  await sql`
    update bulk_rows r
    set state = 'carted', parcel_id = t.parcel_id, price_minor = t.price_minor, problems = null, version = r.version + 1
    from json_to_recordset(${JSON.stringify(parcels)}::json) as t(row_number int, parcel_id uuid, price_minor bigint)
    where ${ofBatch(batch)} and r.row_number = t.row_number`.execute(trx)
}

/** Deletes rows that did not become parcels, and returns their hashes; `numbers` null: all of them. */
export async function deleteBulkRows(
  trx: DbOrTx,
  batch: BatchRow,
  numbers: readonly number[] | null,
): Promise<string[]> {
  const { rows } = await sql<{ hash: string | null }>`
    delete from bulk_rows r
    where ${ofBatch(batch)} and r.state <> 'carted'
      and (${numbers}::int[] is null or r.row_number = any(${numbers}::int[]))
    returning r.hash`.execute(trx)
  return rows.flatMap(({ hash }) => hash ?? [])
}

type RowFilter = {
  state?: RowState | undefined
  numbers?: readonly number[]
  after?: number
  offset?: number
  limit?: number
}

/** Rows in the order of the spreadsheet; `lock` locks them until the transaction ends. */
export async function bulkRows(
  db: DbOrTx,
  batch: BatchRow,
  { state, numbers, after = 0, offset = 0, limit = 20_000 }: RowFilter,
  lock = false,
): Promise<BulkRowRow[]> {
  const { rows } = await sql<BulkRowRow>`
    select ${rowColumns}
    from bulk_rows r
    where ${ofBatch(batch)}
      and (${state ?? null}::text is null or r.state = ${state ?? null}::text)
      and (${numbers ?? null}::int[] is null or r.row_number = any(${numbers ?? null}::int[]))
      and r.row_number > ${after}::int
    order by r.row_number
    offset ${offset}::int limit ${limit}::int
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}

/** Rows with this problem in one of these columns (null: a problem of the whole row), locked. */
export async function lockRowsWith(
  db: DbOrTx,
  batch: BatchRow,
  code: string,
  columns: readonly (BulkField | null)[],
): Promise<BulkRowRow[]> {
  const problems = columns.map((column) => JSON.stringify([{ code, column }]))
  const { rows } = await sql<BulkRowRow>`
    select ${rowColumns}
    from bulk_rows r
    where ${ofBatch(batch)} and r.state <> 'carted' and r.problems @> any(${problems}::text[]::jsonb[])
    order by r.row_number
    for update`.execute(db)
  return rows
}

/** How often a problem occurs in a batch; `vars` and `labels` are those of one of its rows. */
type CommonProblem = Pick<KeptProblem, 'code' | 'column'> & {
  count: number
  suggested: number
  vars: Record<string, string | number>
  labels: Record<string, Label>
}

export type BatchCounts = {
  id: string
  total: number
  good: number
  bad: number
  carted: number
  total_minor: number
  common: CommonProblem[]
}

/** Counts rows by batch; with `common` also the most frequent problems. Batches without rows have no entry. */
export async function countProblems(
  db: DbOrTx,
  accountId: string,
  ids: readonly string[],
  common: boolean,
): Promise<Map<string, BatchCounts>> {
  const { rows } = await sql<BatchCounts>`
    select batch_id as id,
      count(*)::int as total,
      (count(*) filter (where state = 'good'))::int as good,
      (count(*) filter (where state = 'bad'))::int as bad,
      (count(*) filter (where state = 'carted'))::int as carted,
      coalesce(sum(price_minor) filter (where state = 'good'), 0)::bigint as total_minor,
      '[]'::jsonb as common
    from bulk_rows
    where account_id = ${accountId}::uuid and batch_id = any(${ids}::uuid[])
    group by batch_id`.execute(db)
  const counts = new Map(rows.map((row) => [row.id, row]))
  if (!common) return counts
  const { rows: problems } = await sql<CommonProblem & { id: string }>`
    select r.batch_id as id,
      p ->> 'code' as code,
      p ->> 'column' as "column",
      count(*)::int as count,
      count(p ->> 'suggestion')::int as suggested,
      coalesce((array_agg(p -> 'vars'))[1], '{}'::jsonb) as vars,
      coalesce((array_agg(p -> 'labels'))[1], '{}'::jsonb) as labels
    from bulk_rows r, jsonb_array_elements(r.problems) p
    where r.account_id = ${accountId}::uuid and r.batch_id = any(${ids}::uuid[])
      and r.problems is not null
      and (r.state = 'bad' or (r.state = 'good' and p ->> 'code' = 'row_hidden'))
    group by 1, 2, 3
    having count(*) > 1 or count(p ->> 'suggestion') > 0 or p ->> 'code' in ('required', 'total_row', 'row_hidden')
    order by count(*) desc, 2, 3`.execute(db)
  for (const { id, ...problem } of problems) counts.get(id)?.common.push(problem)
  return counts
}
