/** Reads a spreadsheet of addresses into rows, as a stream in a child process. */
import { setImmediate as breathe } from 'node:timers/promises'
import { type AddressColumn, addressColumns, addressImportLimits } from '@waybill/contract/addresses/import'
import type { Deps } from '../../../deps.ts'
import { accountTopic } from '../../../http/live.ts'
import { tryToRead } from '../../../jobs/sheet-attempts.ts'
import { SheetError } from '../../../lib/sheet/error.ts'
import { findHeader, findHeaderNumber, type SheetHeader } from '../../../lib/sheet/headers.ts'
import type { ReadRow } from '../../../lib/sheet/row.ts'
import { readTable, type TableRow, type TableShape } from '../../../lib/sheet/table.ts'
import { checkAddressRow } from './check-row.ts'
import { addressHeaders, missingAddressColumns } from './columns.ts'
import { countImportAttempt, findImport, findImportSource, type ImportRow, updateImport } from './queries.ts'
import { deleteSheetRows, findInBook, insertSheetRows, type SheetRow } from './queries-rows.ts'

/** Rows per statement. */
const chunkSize = 500
/** Rows that are checked before other requests get their turn: some milliseconds. */
const checkedAtOnce = 50

const shape: TableShape<AddressColumn> = { fields: addressColumns, limits: addressImportLimits }

/** Notifies open screens of the account that the import has changed. */
export async function notifyScreens(deps: Deps, { account_id, id }: ImportRow): Promise<void> {
  await deps.live.publish(deps.db, accountTopic(account_id), { type: 'addresses', id })
}

/**
 * The job that reads an import's file, from the beginning at each attempt. After the second failed attempt the import
 * is marked as failed.
 */
export async function readImportFile(deps: Deps, job: { accountId: string; importId: string }): Promise<void> {
  const row = await findImport(deps.db, job.accountId, job.importId)
  const source = row?.status === 'reading' ? await findImportSource(deps.db, row) : null
  if (!row || !source) return
  const error = await tryToRead(deps.log, await countImportAttempt(deps.db, row), async () => {
    await deleteSheetRows(deps.db, row)
    await readRows(deps, row, source)
  })
  if (error) {
    const { fault, vars } = error
    await deleteSheetRows(deps.db, row)
    const changes = { status: 'failed', fault, fault_vars: vars, rows_read: 0, forgetSource: true } as const
    await updateImport(deps.db, row, changes, deps.clock.now())
  }
  await notifyScreens(deps, row)
}

/** Reads and stores all rows, unless the user has to map the columns first. Throws SheetError. */
async function readRows(deps: Deps, row: ImportRow, source: Buffer): Promise<void> {
  const keys = new Map<string, number>()
  let chunk: TableRow<AddressColumn>[] = []
  let count = 0
  let isMapped = false
  const store = async () => {
    await insertSheetRows(deps.db, row, await checkChunk(deps, row, chunk, keys))
    chunk = []
    await updateImport(deps.db, row, { rows_read: count }, deps.clock.now())
    await notifyScreens(deps, row)
  }
  const names = addressHeaders(deps)
  const table = readTable({ bytes: source, format: row.source_format, names }, shape, async (firstRows) => {
    const header = await storeHeader(deps, row, firstRows, names)
    isMapped = header !== null
    return header
  })
  for await (const cells of table) {
    count += 1
    chunk.push(cells)
    if (chunk.length === chunkSize) await store()
  }
  if (!isMapped) return
  if (count === 0) throw new SheetError('no_rows')
  await store()
  await updateImport(deps.db, row, { status: 'ready', rows_read: count, forgetSource: true }, deps.clock.now())
}

/** Finds the header among the first rows and stores it. Null if columns are missing: the user has to map them. */
async function storeHeader(
  deps: Deps,
  row: ImportRow,
  rows: readonly ReadRow[],
  names: ReturnType<typeof addressHeaders>,
): Promise<SheetHeader<AddressColumn> | null> {
  const guess = findHeader(rows, names)
  if (!guess) throw new SheetError('empty')
  // The user's mapping takes precedence.
  const number = findHeaderNumber(rows, row.headers) ?? guess.number
  const header = row.mapping.length > 0 ? { number, headers: row.headers, mapping: row.mapping } : guess
  const missing = missingAddressColumns(header.mapping).length > 0
  const { headers, mapping } = header
  const changes = { ...(missing ? { status: 'columns' as const } : {}), headers, mapping }
  await updateImport(deps.db, row, changes, deps.clock.now())
  return missing ? null : header
}

type NewSheetRow = Omit<SheetRow, 'address_id'>

/**
 * Checks rows and finds those that are already in the book or the file. `keys` maps each key to its first row; it
 * grows.
 */
async function checkChunk(
  deps: Deps,
  { account_id }: ImportRow,
  rows: readonly TableRow<AddressColumn>[],
  keys: Map<string, number>,
): Promise<NewSheetRow[]> {
  const home = deps.settings.get('countryCode')
  const checked: NewSheetRow[] = []
  for (const [n, { number, hidden, ...cells }] of rows.entries()) {
    if (n % checkedAtOnce === 0) await breathe()
    const result = checkAddressRow(cells, home)
    // Whoever filters a spreadsheet may not want the rows that it hides.
    const state = result.state === 'good' && hidden ? 'hidden' : result.state
    checked.push({ row_number: number, cells: cells.cells, ...result, state })
  }
  const complete = checked.flatMap((row) => (row.content ? [{ row, content: row.content }] : []))
  const books = await findInBook(
    deps.db,
    account_id,
    complete.map(({ content }) => content),
  )
  for (const [n, { row }] of complete.entries()) {
    const { key, in_book } = books[n] ?? { key: '', in_book: false }
    const first = keys.get(key)
    // A hidden row that is left out must not make a visible one a duplicate.
    if (first === undefined && row.state !== 'hidden') keys.set(key, row.row_number)
    if (!in_book && first === undefined) continue
    row.state = 'duplicate'
    row.problems.push(
      in_book
        ? { column: null, rule: 'duplicateInBook' }
        : { column: null, rule: 'duplicateOfRow', vars: { row: first } },
    )
  }
  return checked
}
