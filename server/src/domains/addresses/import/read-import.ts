/** Reads a spreadsheet of addresses into rows, as a stream in a child process. */
import { setImmediate as breathe } from 'node:timers/promises'
import { type AddressColumn, addressColumns, addressImportLimits } from '@waybill/contract/addresses/import'
import type { Deps } from '../../../deps.ts'
import { accountTopic } from '../../../http/live.ts'
import { SheetError } from '../../../lib/sheet/error.ts'
import { cellText, findHeader, findHeaderRow, rowsAboveHeader, type SheetHeader } from '../../../lib/sheet/headers.ts'
import { type ProcessLimits, readInProcess } from '../../../lib/sheet/processes.ts'
import type { CellMark, ReadRow } from '../../../lib/sheet/row.ts'
import { checkAddressRow, type ReadCells } from './check-row.ts'
import { type AddressMapping, addressHeaders, missingAddressColumns } from './columns.ts'
import { countImportAttempt, findImport, findImportSource, type ImportRow, updateImport } from './queries.ts'
import { deleteSheetRows, findInBook, insertSheetRows, type SheetRow } from './queries-rows.ts'

/** The reader does not know which row is the header, so it allows some more rows than we do. */
export const importReadLimits: ProcessLimits = {
  rows: addressImportLimits.rows + rowsAboveHeader,
  bytes: 30_000_000,
  ratio: 200,
  deadline: 12_000,
}

/** Attempts after which a file is given up: it may be what makes the process crash. */
const mostAttempts = 2
/** Rows of one statement. */
const chunkSize = 500
/** Rows that are checked before other requests get their turn: some milliseconds. */
const checkedAtOnce = 50

type Header = SheetHeader<AddressColumn>
type NumberedRow = ReadCells & { number: number }

const indexOf = Object.fromEntries(addressColumns.map((column, n) => [column, n])) as Record<AddressColumn, number>

function toCells(row: ReadRow, mapping: AddressMapping): NumberedRow {
  const cells = Array<string>(addressColumns.length).fill('')
  const marks = new Map<AddressColumn, CellMark>()
  for (const [n, column] of mapping.entries()) {
    if (column === null) continue
    const mark = row.marks?.get(n)
    if (mark) marks.set(column, mark)
    const text = mark === 'formula_error' ? '' : cellText(row.cells[n])
    cells[indexOf[column]] = text.slice(0, addressImportLimits.cell)
  }
  return { number: row.number, cells, marks }
}

/** Notifies open screens of the account that the import has changed. */
export async function notifyScreens(deps: Deps, { account_id, id }: ImportRow): Promise<void> {
  await deps.live.publish(deps.db, accountTopic(account_id), { type: 'addresses', id })
}

/**
 * The job that reads an import's file, from the beginning at each attempt. After the second failed attempt the import
 * is marked as failed.
 */
export async function readImport(deps: Deps, job: { accountId: string; importId: string }): Promise<void> {
  const row = await findImport(deps.db, job.accountId, job.importId)
  const source = row?.status === 'reading' ? await findImportSource(deps.db, row) : null
  if (!row || !source) return
  // Counted before reading: an attempt that crashes the process must count too.
  const attempt = await countImportAttempt(deps.db, row)
  try {
    if (attempt > mostAttempts) throw new SheetError('unreadable')
    await deleteSheetRows(deps.db, row)
    await readRows(deps, row, source)
  } catch (error) {
    const faulty = error instanceof SheetError
    if (!faulty && attempt < mostAttempts) throw error
    if (!faulty) deps.log.error({ err: error }, 'a spreadsheet of addresses could not be read, twice')
    const { fault, vars } = faulty ? error : new SheetError('unreadable')
    await deleteSheetRows(deps.db, row)
    const changes = { status: 'failed', fault, fault_vars: vars, rows_read: 0, forgetSource: true } as const
    await updateImport(deps.db, row, changes, deps.clock.now())
  }
  await notifyScreens(deps, row)
}

/** Reads and stores all rows, unless the user has to map the columns first. Throws SheetError. */
async function readRows(deps: Deps, row: ImportRow, source: Buffer): Promise<void> {
  const keys = new Map<string, number>()
  let firstRows: ReadRow[] = []
  let header: Header | null = null
  let chunk: NumberedRow[] = []
  let count = 0
  const store = async () => {
    await insertSheetRows(deps.db, row, await checkChunk(deps, row, chunk, keys))
    chunk = []
    await updateImport(deps.db, row, { rows_read: count }, deps.clock.now())
    await notifyScreens(deps, row)
  }
  const take = async (sheetRow: ReadRow, { number, mapping }: Header) => {
    if (sheetRow.number <= number) return
    const cells = toCells(sheetRow, mapping)
    if (cells.cells.every((cell) => cell === '') && cells.marks?.size === 0) return
    if (count >= addressImportLimits.rows) throw new SheetError('too_many_rows', { max: addressImportLimits.rows })
    count += 1
    chunk.push(cells)
    if (chunk.length === chunkSize) await store()
  }
  const begin = async (): Promise<Header | null> => {
    const sheetHeader = await storeHeader(deps, row, firstRows)
    if (sheetHeader) for (const sheetRow of firstRows) await take(sheetRow, sheetHeader)
    firstRows = []
    return sheetHeader
  }
  for await (const sheetRow of readInProcess(source, row.source_format, importReadLimits)) {
    if (header) {
      await take(sheetRow, header)
      continue
    }
    firstRows.push(sheetRow)
    if (firstRows.length < rowsAboveHeader) continue
    header = await begin()
    if (!header) return
  }
  if (!header && !(await begin())) return
  if (count === 0) throw new SheetError('no_rows')
  await store()
  await updateImport(deps.db, row, { status: 'ready', rows_read: count, forgetSource: true }, deps.clock.now())
}

/** Finds the header among the first rows and stores it. Null where columns are missing: the user has to map them. */
async function storeHeader(deps: Deps, row: ImportRow, rows: readonly ReadRow[]): Promise<Header | null> {
  const guess = findHeader(rows, addressHeaders(deps))
  if (!guess) throw new SheetError('empty')
  // The user's mapping takes precedence.
  const number = findHeaderRow(rows, row.headers)?.number ?? guess.number
  const header = row.mapping.length > 0 ? { number, headers: row.headers, mapping: row.mapping } : guess
  const missing = missingAddressColumns(header.mapping).length > 0
  const { headers, mapping } = header
  const changes = { ...(missing ? { status: 'columns' as const } : {}), headers, mapping }
  await updateImport(deps.db, row, changes, deps.clock.now())
  return missing ? null : header
}

type NewSheetRow = Omit<SheetRow, 'address_id'>

/** Checks rows and finds those that the book or the file has already. `keys`: the first row of each key; grows. */
async function checkChunk(
  deps: Deps,
  { account_id }: ImportRow,
  rows: readonly NumberedRow[],
  keys: Map<string, number>,
): Promise<NewSheetRow[]> {
  const home = deps.settings.get('countryCode')
  const checked: NewSheetRow[] = []
  for (const [n, { number, ...cells }] of rows.entries()) {
    if (n % checkedAtOnce === 0) await breathe()
    checked.push({ row_number: number, cells: cells.cells, ...checkAddressRow(cells, home) })
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
    if (first === undefined) keys.set(key, row.row_number)
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
