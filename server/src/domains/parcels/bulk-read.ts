/** A file becomes rows: read as a stream, so that neither memory nor the event loop notices. */
import { type BulkField, bulkFields, bulkLimits } from '@waybill/contract/bulk'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { SheetError } from '../../lib/sheet-error.ts'
import { type CellMark, type ReadLimits, type ReadRow, readSheet } from '../../lib/sheet-read.ts'
import { type Mapping, mappingOf, missingColumns, recognised } from './bulk-columns.ts'
import { settingOf } from './bulk-setting.ts'
import { type Cells, type RowStore, rowStore, tell } from './bulk-store.ts'
import { cellText } from './bulk-values.ts'
import { type BatchRow, deleteBulkRows, findBatch, sourceOf, updateBatch } from './queries-bulk.ts'

/** A title and some empty lines above the headers are forgiven. */
const rowsAbove = 20

/** The reader's own limits, a little over ours: which row is the header is not known to it. */
export const readLimits: ReadLimits = { rows: bulkLimits.rows + rowsAbove, bytes: 120_000_000, ratio: 200 }

/** Rows of a source, whatever it is. JSON is an array of arrays of text, the headers first. */
async function* rowsOfSource(batch: BatchRow, source: Buffer): AsyncGenerator<ReadRow> {
  if (batch.source_format !== 'json') {
    yield* readSheet(source, readLimits)
    return
  }
  const rows = JSON.parse(source.toString('utf8')) as string[][]
  for (const [n, cells] of rows.entries()) {
    if (cells.some((cell) => cell.trim() !== '')) yield { number: n + 1, cells, marks: null }
  }
}

type Header = { number: number; headers: string[]; mapping: Mapping }

/** The row with the most known headers among the first ones. */
function headerOf(deps: Deps, rows: readonly ReadRow[]): Header {
  let best: Header | null = null
  for (const { number, cells } of rows) {
    const headers = cells.map((cell) => cellText(cell).slice(0, 200))
    const mapping = mappingOf(deps, headers)
    if (!best || recognised(mapping) > recognised(best.mapping)) best = { number, headers, mapping }
  }
  return best ?? { number: 0, headers: [], mapping: [] }
}

const placeOf = Object.fromEntries(bulkFields.map((field, n) => [field, n])) as Record<BulkField, number>

function asCells(row: ReadRow, mapping: Mapping): Cells {
  const cells = Array<string>(bulkFields.length).fill('')
  let marks: Map<BulkField, CellMark> | undefined
  for (const [column, field] of mapping.entries()) {
    if (field === null) continue
    const mark = row.marks?.get(column)
    if (mark) {
      marks ??= new Map()
      marks.set(field, mark)
    }
    cells[placeOf[field]] = mark === 'formula_error' ? '' : cellText(row.cells[column]).slice(0, bulkLimits.cell)
  }
  return { row_number: row.number, cells, anyway: false, ...(marks ? { marks } : {}) }
}

/** The job: reads a batch's file from its beginning. Done again after a crash it begins anew. */
export async function readBulk(
  deps: Deps,
  { accountId, batchId }: { accountId: string; batchId: string },
): Promise<void> {
  const batch = await findBatch(deps.db, accountId, batchId, null)
  const source = batch?.status === 'reading' ? await sourceOf(deps.db, accountId, batchId) : null
  if (!batch || !source) return
  try {
    await deleteBulkRows(deps.db, batch, null)
    await readInto(deps, batch, source)
  } catch (error) {
    if (!(error instanceof SheetError)) throw error
    await deleteBulkRows(deps.db, batch, null)
    const changes = {
      status: 'failed',
      fault: error.fault,
      fault_vars: error.vars,
      rows_read: 0,
      forgetSource: true,
    } as const
    await updateBatch(deps.db, batch, changes, deps.clock.now())
  }
  await tell(deps, batch)
}

async function readInto(deps: Deps, batch: BatchRow, source: Buffer): Promise<void> {
  const rows = rowStore(await settingOf(deps, batch.account_id as AccountId, batch.sender), batch)
  try {
    if (!(await readRows(deps, batch, source, rows))) return
    await rows.finish()
  } finally {
    // What is stored may be deleted next: nothing may be on its way there any more.
    await rows.stop()
  }
  if (rows.taken() === 0) throw new SheetError('no_rows')
  const changes = { status: 'ready', rows_read: rows.taken(), forgetSource: true } as const
  await updateBatch(deps.db, batch, changes, deps.clock.now())
}

/** False: the sender has to say first which column is what. Throws SheetError. */
async function readRows(deps: Deps, batch: BatchRow, source: Buffer, rows: RowStore): Promise<boolean> {
  let above: ReadRow[] = []
  let header: Header | null = null
  const take = async (row: ReadRow, { number, mapping }: Header) => {
    if (row.number <= number) return
    if (rows.taken() >= bulkLimits.rows) throw new SheetError('too_many_rows', { max: bulkLimits.rows })
    const cells = asCells(row, mapping)
    if (!cells.marks && cells.cells.every((cell) => cell === '')) return
    await rows.add(cells)
  }
  const begin = async (): Promise<Header | null> => {
    const found = await keptHeader(deps, batch, above)
    if (found) for (const row of above) await take(row, found)
    above = []
    return found
  }
  for await (const row of rowsOfSource(batch, source)) {
    if (header) {
      await take(row, header)
      continue
    }
    above.push(row)
    if (above.length < rowsAbove) continue
    header = await begin()
    if (!header) return false
  }
  if (header) return true
  if (above.length === 0) throw new SheetError('empty')
  return (await begin()) !== null
}

/** The headers among the first rows, kept with the batch; null where columns miss, and the sender is asked. */
async function keptHeader(deps: Deps, batch: BatchRow, rows: readonly ReadRow[]): Promise<Header | null> {
  const found = headerOf(deps, rows)
  // What the sender said of the columns counts before what was recognised.
  const header =
    batch.mapping.length > 0 ? { ...found, number: headerNumber(found, rows, batch), mapping: batch.mapping } : found
  const { headers, mapping } = header
  const missing = missingColumns(mapping).length > 0
  const changes = { ...(missing ? { status: 'columns' as const } : {}), headers, mapping }
  await updateBatch(deps.db, batch, changes, deps.clock.now())
  return missing ? null : header
}

/** The row of the headers that the sender was asked about. */
function headerNumber(found: Header, rows: readonly ReadRow[], batch: BatchRow): number {
  const asked = rows.find(({ cells }) =>
    batch.headers.every((header, n) => cellText(cells[n]).slice(0, 200) === header),
  )
  return asked?.number ?? found.number
}
