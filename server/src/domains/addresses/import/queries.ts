/** Queries on imports of addresses and their rows. */
import type { AddressColumn, importRowStates, importStatuses } from '@waybill/contract/addresses/import'
import { type Selectable, sql } from 'kysely'
import { deleteOldRows } from '../../../db/batches.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AddressImports } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { SheetFault } from '../../../lib/sheet/error.ts'

export type RowState = (typeof importRowStates)[number]
type ColumnTypes = {
  account_id: AccountId
  status: (typeof importStatuses)[number]
  source_format: 'xlsx' | 'csv'
  fault: SheetFault | null
  fault_vars: Record<string, string | number>
  headers: string[]
  mapping: (AddressColumn | null)[]
}
/** An import without the bytes of its file. */
export type ImportRow = Omit<Selectable<AddressImports>, keyof ColumnTypes | 'source'> & ColumnTypes

const importColumns = sql.raw(`
      account_id, id, created_by, name, source_format, status, fault, fault_vars, headers, mapping, rows_read,
      attempts, version, created_at, updated_at`)

type NewImport = Pick<ImportRow, 'id' | 'created_by' | 'name' | 'source_format'> & { source: Buffer }

export async function insertImport(trx: DbOrTx, accountId: AccountId, row: NewImport, at: Date): Promise<ImportRow> {
  const { rows } = await sql<ImportRow>`
    insert into address_imports (
      account_id, id, created_by, name, source, source_format, status, created_at, updated_at)
    values (
      ${accountId}::uuid, ${row.id}::uuid, ${row.created_by}::uuid, ${row.name}::text, ${row.source}::bytea,
      ${row.source_format}::text, 'reading', ${at}::timestamptz, ${at}::timestamptz)
    returning ${importColumns}`.execute(trx)
  return rows[0] as ImportRow
}

/** An import of the account; `lock` locks it until the transaction ends. */
export async function findImport(
  db: DbOrTx,
  accountId: string,
  id: string,
  lock = false,
): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`
    select ${importColumns}
    from address_imports
    where account_id = ${accountId}::uuid and id = ${id}::uuid
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0]
}

/** The bytes of the file; null once it has been read. */
export async function findImportSource(db: DbOrTx, { account_id, id }: ImportRow): Promise<Buffer | null> {
  const row = await db
    .selectFrom('address_imports')
    .select('source')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.source ?? null
}

/** A page of the account's imports, newest first. */
export async function listImportRows(
  db: DbOrTx,
  accountId: AccountId,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: ImportRow[]; total: number }> {
  const { rows } = await sql<ImportRow>`
    select ${importColumns}
    from address_imports
    where account_id = ${accountId}::uuid
    order by created_at desc, id desc
    offset ${offset}::int limit ${limit}::int`.execute(db)
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total from address_imports where account_id = ${accountId}::uuid`.execute(db)
  return { rows, total: counts[0]?.total ?? 0 }
}

export type ImportChanges = Partial<
  Pick<ImportRow, 'status' | 'fault' | 'fault_vars' | 'headers' | 'mapping' | 'rows_read' | 'attempts'>
> & { forgetSource?: true }

/** Changes an import and raises its version. An absent change leaves its column as it is. */
export async function updateImport(
  db: DbOrTx,
  { account_id, id }: Pick<ImportRow, 'account_id' | 'id'>,
  { forgetSource, fault_vars, headers, mapping, ...changes }: ImportChanges,
  at: Date,
): Promise<void> {
  await db
    .updateTable('address_imports')
    .set((set) => ({
      ...changes,
      ...(fault_vars && { fault_vars: JSON.stringify(fault_vars) }),
      ...(headers && { headers: JSON.stringify(headers) }),
      ...(mapping && { mapping: JSON.stringify(mapping) }),
      ...(forgetSource && { source: null }),
      version: set('version', '+', 1),
      updated_at: at,
    }))
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

/** Counts an attempt to read the file, and returns its number from 1. */
export async function countImportAttempt(db: DbOrTx, { account_id, id }: ImportRow): Promise<number> {
  const row = await db
    .updateTable('address_imports')
    .set((set) => ({ attempts: set('attempts', '+', 1) }))
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returning('attempts')
    .executeTakeFirst()
  return row?.attempts ?? 1
}

/** Deletes an import with its rows. */
export async function deleteImport(trx: DbOrTx, { account_id, id }: ImportRow): Promise<void> {
  await trx.deleteFrom('address_imports').where('account_id', '=', account_id).where('id', '=', id).execute()
}

/** Deletes imports that have not changed since `before`. */
export async function deleteOldImports(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'address_imports', 'updated_at', before)
}
