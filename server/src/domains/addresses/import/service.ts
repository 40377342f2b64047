/** Imports of addresses from spreadsheets: upload, show, map columns, save, discard. */
import {
  type AddressColumn,
  type AddressImport,
  type AddressImportRow,
  addressColumns,
  addressImportLimits,
  type getAddressImport,
  type listAddressImports,
  type mapAddressImport,
  type saveAddressImport,
} from '@waybill/contract/addresses/import'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Translate } from '@waybill/contract/ground/validation'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { presentFault, toAppError } from '../../../http/sheets/sheet-faults.ts'
import type { UploadedFile } from '../../../http/uploads.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { newId } from '../../../lib/ids.ts'
import { columnLetter, noHeaders } from '../../../lib/sheet/headers.ts'
import { inspectInProcess } from '../../../lib/sheet/processes.ts'
import { tableLimits } from '../../../lib/sheet/table.ts'
import { storedFileName } from '../../../lib/text/clip.ts'
import { problemText, suggestionText } from '../../sheet-imports/describe-problems.ts'
import { missingAddressColumns } from './columns.ts'
import {
  deleteImport,
  findImport,
  findImportSource,
  type ImportRow,
  insertImport,
  listImportRows,
  updateImport,
} from './queries.ts'
import { chooseRows, countSheetRows, listSheetRows, noRows, type RowCounts, type SheetRow } from './queries-rows.ts'

/** The user who sees an import, in their language. */
export type Reader = { caller: CustomerCaller; t: Translate; locale: Locale }

/**
 * Stores a spreadsheet, and a job to read it. Throws file_… for a file that is not a readable spreadsheet, before
 * anything is stored, and validation without a file.
 */
export async function createImport(
  deps: Deps,
  { caller, t }: Reader,
  file: UploadedFile | null,
  idempotency: Pick<Idempotency, 'keep'>,
): Promise<AddressImport> {
  if (!file) throw validationError({ field: 'file', rule: 'required' })
  const { rows } = addressImportLimits
  const format = await inspectInProcess(file.bytes, tableLimits(rows)).catch((error) => {
    throw toAppError(error, rows)
  })
  return tx(deps.db, async (trx) => {
    const draft = {
      id: newId(),
      created_by: caller.userId,
      name: storedFileName(file.name),
      source: file.bytes,
      source_format: format,
    }
    const row = await insertImport(trx, caller.accountId, draft, deps.clock.now())
    await addJob(trx, 'addresses:read-import', { accountId: caller.accountId, importId: row.id })
    const response = present(row, undefined, t)
    await idempotency.keep(trx, response)
    return response
  })
}

/** An import of the caller's account; `lock` locks it until the transaction ends. Throws not_found. */
export async function requireImport(
  db: DbOrTx,
  { accountId }: CustomerCaller,
  id: string,
  lock = false,
): Promise<ImportRow> {
  const row = await findImport(db, accountId, id, lock)
  if (!row) throw new AppError('not_found')
  return row
}

/** An import in this state and version, locked. Throws not_found, version_conflict, address_import_busy. */
async function requireImportIn(
  trx: DbOrTx,
  caller: CustomerCaller,
  { id, version, status }: Pick<ImportRow, 'id' | 'version' | 'status'>,
): Promise<ImportRow> {
  const row = await requireImport(trx, caller, id, true)
  if (row.status !== status) throw new AppError('address_import_busy')
  if (row.version !== version) throw new AppError('version_conflict', { details: { version: row.version } })
  return row
}

async function presentOne(db: DbOrTx, { caller, t }: Reader, id: string): Promise<AddressImport> {
  const row = await requireImport(db, caller, id)
  return present(row, (await countSheetRows(db, caller.accountId, [id])).get(id), t)
}

export async function listImports(
  { db }: Deps,
  { caller, t }: Reader,
  { offset, limit }: QueryOf<typeof listAddressImports>,
): Promise<ResponseOf<typeof listAddressImports>> {
  const { rows, total } = await listImportRows(db, caller.accountId, { offset, limit })
  const ids = rows.map(({ id }) => id)
  const counts = await countSheetRows(db, caller.accountId, ids)
  return { items: rows.map((row) => present(row, counts.get(row.id), t)), total, offset, limit }
}

/** An import with a page of its rows; no rows while the file is being read. */
export async function importPage(
  { db }: Deps,
  reader: Reader,
  id: string,
  { offset, limit, only }: QueryOf<typeof getAddressImport>,
): Promise<ResponseOf<typeof getAddressImport>> {
  const view = await presentOne(db, reader, id)
  const { counts, status, mapping } = view
  const isRead = status === 'ready' || status === 'saving'
  const row = { account_id: reader.caller.accountId, id }
  const rows = isRead ? await listSheetRows(db, row, { state: only ?? null, offset, limit }) : []
  const total = !isRead ? 0 : only ? counts[only] : counts.read
  return { import: view, items: rows.map((one) => presentRow(one, mapping, reader)), total, offset, limit }
}

/**
 * Stores the user's mapping of columns, and a job that continues reading. Throws version_conflict, address_import_busy
 * for an import that does not wait for a mapping, validation for missing columns.
 */
export async function mapImport(
  deps: Deps,
  reader: Reader,
  id: string,
  { version, mapping: fields, noHeader }: BodyOf<typeof mapAddressImport>,
): Promise<AddressImport> {
  const { caller, t } = reader
  return tx(deps.db, async (trx) => {
    const row = await requireImportIn(trx, caller, { id, version, status: 'columns' })
    if (!(await findImportSource(trx, row))) throw new AppError('address_import_busy')
    const mapping = row.headers.map((_, n) => fields[n] ?? null)
    const mapped = mapping.filter((field) => field !== null)
    if (new Set(mapped).size < mapped.length) throw validationError({ field: 'mapping', rule: 'columnTwice' })
    const missing = missingAddressColumns(mapping).map((field) => t(`fields.${field}`))
    if (missing.length > 0) {
      throw validationError({ field: 'mapping', rule: 'columnsMissing', vars: { columns: missing } })
    }
    const headers = noHeader ? noHeaders(row.headers) : row.headers
    await updateImport(trx, row, { status: 'reading', headers, mapping, attempts: 0 }, deps.clock.now())
    await addJob(trx, 'addresses:read-import', { accountId: caller.accountId, importId: id })
    return presentOne(trx, reader, id)
  })
}

/**
 * Selects rows and starts the job that writes them into the address book. Throws version_conflict,
 * address_import_busy, address_import_empty if no row matches.
 */
export async function startSaving(
  deps: Deps,
  reader: Reader,
  id: string,
  { version, states, rows }: BodyOf<typeof saveAddressImport>,
): Promise<AddressImport> {
  const { caller } = reader
  return tx(deps.db, async (trx) => {
    const row = await requireImportIn(trx, caller, { id, version, status: 'ready' })
    if ((await chooseRows(trx, row, states, rows ?? null)) === 0) throw new AppError('address_import_empty')
    await updateImport(trx, row, { status: 'saving' }, deps.clock.now())
    const { accountId, userId } = caller
    await addJob(trx, 'addresses:save-import', { accountId, importId: id, userId })
    return presentOne(trx, reader, id)
  })
}

/** Deletes an import. Throws not_found, address_import_busy while a job saves it. */
export async function removeImport({ db }: Deps, caller: CustomerCaller, id: string): Promise<void> {
  await tx(db, async (trx) => {
    const row = await requireImport(trx, caller, id, true)
    if (row.status === 'saving') throw new AppError('address_import_busy')
    await deleteImport(trx, row)
  })
}

function present(row: ImportRow, counts: RowCounts | undefined, t: Translate): AddressImport {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    status: row.status,
    fault: presentFault(row, addressImportLimits.rows, t),
    headers: row.headers,
    mapping: row.mapping,
    missing: row.status === 'columns' ? missingAddressColumns(row.mapping) : [],
    counts: {
      read: row.rows_read,
      ...(counts ?? noRows),
    },
    createdAt: row.created_at.toISOString(),
  }
}

function presentRow(row: SheetRow, mapping: AddressImport['mapping'], reader: Reader): AddressImportRow {
  const findCell = (column: AddressColumn | null): string | null => {
    const n = column === null ? -1 : mapping.indexOf(column)
    return n < 0 ? null : `${columnLetter(n)}${row.row_number}`
  }
  return {
    row: row.row_number,
    cells: addressColumns.map((_, n) => row.cells[n] ?? ''),
    state: row.state,
    problems: row.problems.map((problem) => ({
      column: problem.column,
      cell: findCell(problem.column),
      code: problem.rule,
      message: problemText(problem, reader),
      suggestion: suggestionText(problem, reader),
    })),
    addressId: row.address_id,
  }
}
