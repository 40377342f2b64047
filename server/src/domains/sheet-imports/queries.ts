/** Queries on imports of the courier's own records, and on their rows. */
import type { SheetRowState } from '@waybill/contract/sheet-imports/sheet-imports'
import { sql } from 'kysely'
import { deleteOldRows } from '../../db/batches.ts'
import type { DbOrTx } from '../../db/pool.ts'
import type { RowProblem } from './cell-reader.ts'
import type { PreviewRow } from './check-rows.ts'

export type ImportRow = {
  id: string
  kind: string
  subjectId: string | null
  resultId: string | null
  name: string | null
  /** The column of each of the file's columns. */
  mapping: (string | null)[]
  /** How many of the file's rows its spreadsheet does not show. */
  hiddenRows: number
  fingerprint: string
  appliedAt: Date | null
  version: number
  createdAt: Date
}

const importColumns = [
  'id',
  'kind',
  'subject_id as subjectId',
  'result_id as resultId',
  'name',
  'mapping',
  'hidden_rows as hiddenRows',
  'fingerprint',
  'applied_at as appliedAt',
  'version',
  'created_at as createdAt',
] as const

type NewImport = Pick<ImportRow, 'id' | 'kind' | 'subjectId' | 'name' | 'mapping' | 'hiddenRows' | 'fingerprint'> & {
  createdBy: string
}

export async function insertImport(
  trx: DbOrTx,
  { subjectId, createdBy, mapping, hiddenRows, ...row }: NewImport,
  at: Date,
): Promise<void> {
  const columns = {
    subject_id: subjectId,
    created_by: createdBy,
    mapping: JSON.stringify(mapping),
    hidden_rows: hiddenRows,
  }
  await trx
    .insertInto('sheet_imports')
    .values({ ...row, ...columns, created_at: at, updated_at: at })
    .execute()
}

/** An import of this kind that this user uploaded; `lock` locks it until the transaction ends. */
export async function findImport(
  db: DbOrTx,
  { id, kind, createdBy }: { id: string; kind: string; createdBy: string },
  lock = false,
): Promise<ImportRow | undefined> {
  const query = db
    .selectFrom('sheet_imports')
    .select(importColumns)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('created_by', '=', createdBy)
  return (lock ? query.forUpdate() : query).executeTakeFirst() as Promise<ImportRow | undefined>
}

/** Changes an import and raises its version. */
export async function updateImport(
  trx: DbOrTx,
  id: string,
  changes: { fingerprint: string } | { applied_at: Date; result_id: string | null },
  at: Date,
): Promise<void> {
  await trx
    .updateTable('sheet_imports')
    .set((set) => ({ ...changes, version: set('version', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .execute()
}

/** Rows per statement. */
const chunkSize = 2000

/** Stores the rows of a preview in their order. */
export async function insertRows<C>(trx: DbOrTx, importId: string, rows: readonly PreviewRow<C>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += chunkSize) {
    const chunk = rows.slice(start, start + chunkSize).map((row, n) => ({ ...row, position: start + n }))
    await sql`
      insert into sheet_import_rows (import_id, position, row_number, cells, state, record, before, problems)
      select ${importId}::uuid, position, number, cells, state, nullif(record, 'null'), nullif(before, 'null'), problems
      from jsonb_to_recordset(${JSON.stringify(chunk)}::jsonb)
        as r (position int, number int, cells jsonb, state text, record jsonb, before jsonb, problems jsonb)`.execute(
      trx,
    )
  }
}

export async function deleteRows(trx: DbOrTx, importId: string): Promise<void> {
  await trx.deleteFrom('sheet_import_rows').where('import_id', '=', importId).execute()
}

/** Rows of an import in the order of the file, removed records last; `state` null: all. */
export async function listRows<C>(
  db: DbOrTx,
  importId: string,
  { state, offset, limit }: { state: SheetRowState | null; offset: number; limit: number | null },
): Promise<PreviewRow<C>[]> {
  const { rows } = await sql<Omit<PreviewRow<C>, 'problems'> & { problems: RowProblem[] }>`
    select row_number as number, cells, state, record, before, problems
    from sheet_import_rows
    where import_id = ${importId}::uuid and (${state}::text is null or state = ${state}::text)
    order by position
    offset ${offset}::int limit ${limit}::int`.execute(db)
  return rows
}

/** A row with problems, with its position for the next batch. */
export type FaultyRow<C> = PreviewRow<C> & { position: number }

/** The rows of an import that have problems, after `last` (null: from the first one). */
export async function nextFaultyRows<C>(
  db: DbOrTx,
  importId: string,
  last: FaultyRow<C> | null,
  limit: number,
): Promise<FaultyRow<C>[]> {
  const { rows } = await sql<FaultyRow<C>>`
    select position, row_number as number, cells, state, record, before, problems
    from sheet_import_rows
    where import_id = ${importId}::uuid and state = 'faulty' and position > ${last?.position ?? -1}::int
    order by position
    limit ${limit}::int`.execute(db)
  return rows
}

export type RowCounts = Record<SheetRowState, number>

/** The number of an import's rows in each state. */
export async function countImportRows(db: DbOrTx, importId: string): Promise<RowCounts> {
  const { rows } = await sql<{ state: SheetRowState; count: number }>`
    select state, count(*)::int as count
    from sheet_import_rows
    where import_id = ${importId}::uuid
    group by state`.execute(db)
  const counts: RowCounts = { new: 0, changed: 0, unchanged: 0, removed: 0, faulty: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}

/** Deletes imports that have not changed since `before`, with their rows. */
export async function deleteOldImports(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'sheet_imports', 'updated_at', before)
}
