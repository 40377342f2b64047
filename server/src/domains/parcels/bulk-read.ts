/** A file becomes rows: read as a stream, checked, priced and stored some hundreds at a time, so that neither memory nor the event loop notices. */
import { setImmediate as breathe } from 'node:timers/promises'
import { type BulkField, bulkFields, bulkLimits } from '@waybill/contract/bulk'
import type { Deps } from '../../deps.ts'
import type { AccountId } from '../../http/caller.ts'
import { accountTopic } from '../../http/live.ts'
import { later } from '../../lib/clock.ts'
import { SheetError } from '../../lib/sheet-error.ts'
import { type CellMark, type ReadLimits, type ReadRow, readSheet } from '../../lib/sheet-read.ts'
import { checkRow, type Insisting, longestCell, priceRow, type Setting, settingOf } from './bulk-check.ts'
import { type Mapping, mappingOf, missingColumns, recognised } from './bulk-columns.ts'
import { twinsFor } from './bulk-sweep.ts'
import { cellText } from './bulk-values.ts'
import {
  type BatchRow,
  type BulkRowRow,
  deleteBulkRows,
  findBatch,
  insertUnread,
  type KeptProblem,
  sourceOf,
  type Twin,
  twinsOf,
  updateBatch,
} from './queries-bulk.ts'

/** A title and some empty lines above the headers are forgiven. */
const rowsAbove = 20

/** The reader's own limits, a little over ours: which row is the header is not known to it. */
export const readLimits: ReadLimits = { rows: bulkLimits.rows + rowsAbove, bytes: 120_000_000, ratio: 200 }

/** Rows stored with one statement. */
const chunkSize = 500

/** So long the event loop is kept from others. */
const breathMs = 12

type Cells = Pick<BulkRowRow, 'row_number' | 'cells' | 'anyway'> & {
  marks?: Map<BulkField, CellMark>
  insisting?: Insisting
}
export type CheckedRow = Omit<BulkRowRow, 'parcel_id' | 'version'>

/** Some rows checked and priced; `seen` knows the rows of this batch that were checked before, or null: what is stored of it is asked. */
export async function checkRows(
  setting: Setting,
  batch: BatchRow,
  rows: readonly Cells[],
  known: Map<string, number> | null,
): Promise<CheckedRow[]> {
  const { deps } = setting
  const seen = known ?? new Map<string, number>()
  let breathed = performance.now()
  const checked: CheckedRow[] = []
  for (const { row_number, cells, anyway, marks, insisting } of rows) {
    if (performance.now() - breathed > breathMs) {
      await breathe()
      breathed = performance.now()
    }
    const { input, problems, hash, insisted } = checkRow(setting, cells, marks, insisting)
    let price_minor: number | null = null
    if (input?.sender) {
      const priced = await priceRow(setting, input)
      if ('price' in priced) price_minor = priced.price.price_minor
      else problems.push(priced)
    }
    checked.push({
      row_number,
      cells: withoutTail(cells),
      problems,
      state: 'bad',
      price_minor,
      hash: input ? hash : null,
      anyway,
      insisted,
    })
  }
  const asked = checked.flatMap(({ hash, row_number }) => (hash ? [{ hash, row_number }] : []))
  const twins = await twinsOf(deps.db, batch, asked, later(deps.clock.now(), -twinsFor), known === null)
  return checked.map((row) => {
    const problems = [...(row.problems ?? [])]
    if (row.hash && !row.anyway) {
      const twin = twins.get(row.row_number)
      const first = seen.get(row.hash)
      if (twin) problems.push(twinProblem(batch, twin))
      else if (first !== undefined && first !== row.row_number) {
        problems.push({ column: null, code: 'duplicate_row', vars: { row: first } })
      }
      if (first === undefined || first > row.row_number) seen.set(row.hash, row.row_number)
    }
    const bad = problems.some(({ mild }) => !mild)
    return { ...row, problems: problems.length > 0 ? problems : null, state: bad ? 'bad' : 'good' }
  })
}

/** Cells up to the last with something in it. */
function withoutTail(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
}

function twinProblem(batch: BatchRow, twin: Twin): KeptProblem {
  if (twin.shipped) {
    return twin.tracking_number
      ? { column: null, code: 'duplicate_shipped', vars: { number: twin.tracking_number } }
      : { column: null, code: 'duplicate_cart' }
  }
  if (twin.batch_id === batch.id) return { column: null, code: 'duplicate_row', vars: { row: twin.row_number } }
  return { column: null, code: 'duplicate_batch', vars: { row: twin.row_number, batch: twin.batch_name ?? '' } }
}

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
    cells[placeOf[field]] = mark === 'formula_error' ? '' : cellText(row.cells[column]).slice(0, longestCell)
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

async function tell(deps: Deps, batch: BatchRow): Promise<void> {
  const event = { type: 'bulk', id: batch.id, createdBy: batch.created_by }
  await deps.live.publish(deps.db, accountTopic(batch.account_id as AccountId), event)
}

async function readInto(deps: Deps, batch: BatchRow, source: Buffer): Promise<void> {
  const setting = await settingOf(deps, batch.account_id as AccountId, batch.sender)
  const seen = new Map<string, number>()
  let above: ReadRow[] | null = []
  let header: Header | null = null
  let chunk: Cells[] = []
  let read = 0
  let storing: Promise<void> = Promise.resolve()
  /** While the database writes these rows the next ones are read; never more than two chunks are held. */
  const store = async () => {
    await storing
    const rows = chunk
    chunk = []
    read += rows.length
    const told = read % (chunkSize * 4) === 0 ? read : null
    storing = (async () => {
      if (rows.length > 0) await insertUnread(deps.db, batch, await checkRows(setting, batch, rows, seen))
      if (told === null) return
      await updateBatch(deps.db, batch, { rows_read: told }, deps.clock.now())
      await tell(deps, batch)
    })()
    // Who awaits it hears what it threw.
    storing.catch(() => {})
  }
  const take = async (row: ReadRow, { number, mapping }: Header) => {
    if (row.number <= number) return
    if (read + chunk.length >= bulkLimits.rows) throw new SheetError('too_many_rows', { max: bulkLimits.rows })
    const cells = asCells(row, mapping)
    if (cells.cells.some((cell) => cell !== '') || cells.marks) chunk.push(cells)
    if (chunk.length === chunkSize) await store()
  }
  const begin = async (rows: readonly ReadRow[]): Promise<boolean> => {
    const found = headerOf(deps, rows)
    // What the sender said of the columns counts before what was recognised.
    header =
      batch.mapping.length > 0 ? { ...found, number: headerNumber(found, rows, batch), mapping: batch.mapping } : found
    const { headers, mapping } = header
    if (missingColumns(mapping).length > 0) {
      await updateBatch(deps.db, batch, { status: 'columns', headers, mapping }, deps.clock.now())
      return false
    }
    await updateBatch(deps.db, batch, { headers, mapping }, deps.clock.now())
    for (const row of rows) await take(row, header)
    return true
  }
  for await (const row of rowsOfSource(batch, source)) {
    if (header) await take(row, header)
    else {
      above?.push(row)
      if (above && above.length >= rowsAbove) {
        if (!(await begin(above))) return
        above = null
      }
    }
  }
  if (!header) {
    if (!above || above.length === 0) throw new SheetError('empty')
    if (!(await begin(above))) return
  }
  await store()
  await storing
  if (read === 0) throw new SheetError('no_rows')
  await updateBatch(deps.db, batch, { status: 'ready', rows_read: read, forgetSource: true }, deps.clock.now())
}

/** The row of the headers that the sender was asked about. */
function headerNumber(found: Header, rows: readonly ReadRow[], batch: BatchRow): number {
  const asked = rows.find(({ cells }) =>
    batch.headers.every((header, n) => cellText(cells[n]).slice(0, 200) === header),
  )
  return asked?.number ?? found.number
}
