/** A file becomes rows: read as a stream, so that neither memory nor the event loop notices. */

import type { Locale } from '@waybill/contract/ground/enums'
import { type BulkField, bulkFields, bulkLimits } from '@waybill/contract/parcels/bulk'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { SheetError } from '../../../lib/sheet/error.ts'
import type { CellMark, ReadRow } from '../../../lib/sheet/read.ts'
import { readInThread, type ThreadLimits } from '../../../lib/sheet/threads.ts'
import { findUserById } from '../../accounts/service.ts'
import { type BatchRow, countAttempt, deleteBulkRows, findBatch, findSource, updateBatch } from '../bulk/queries.ts'
import { cellText } from './cells.ts'
import { countKnownHeaders, type Mapping, mapHeaders, missingColumns } from './columns.ts'
import { loadRowContext } from './context.ts'
import { type Cells, notifyBatchGrown, type RowStore, rowStore } from './store-rows.ts'

/** A title and some empty lines above the headers are forgiven. */
const rowsAbove = 20

/**
 * The reader's own limits. Rows are a little more than ours, since it does not know which row is the header. The bytes
 * are those of 10,000 rows with every column filled in.
 */
export const readLimits: ThreadLimits = {
  rows: bulkLimits.rows + rowsAbove,
  bytes: 30_000_000,
  ratio: 200,
  deadline: 12_000,
}

/** A file that was not read to its end so often is given up: it may be what ends the process. */
const mostAttempts = 2

type Header = { number: number; headers: string[]; mapping: Mapping }

/** The row with the most known headers among the first ones. */
function headerOf(deps: Deps, rows: readonly ReadRow[]): Header {
  let best: Header | null = null
  for (const { number, cells } of rows) {
    const headers = cells.map((cell) => cellText(cell).slice(0, 200))
    const mapping = mapHeaders(deps, headers)
    if (!best || countKnownHeaders(mapping) > countKnownHeaders(best.mapping)) best = { number, headers, mapping }
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

/**
 * The job: reads a batch's file from its beginning. Done again after a crash it begins anew, but after the second
 * attempt the batch is marked as failed and its sender is told.
 */
export async function readBulk(
  deps: Deps,
  { accountId, batchId }: { accountId: string; batchId: string },
): Promise<void> {
  const batch = await findBatch(deps.db, accountId, batchId, null)
  const source = batch?.status === 'reading' ? await findSource(deps.db, accountId, batchId) : null
  if (!batch || !source) return
  // Counted before anything is read: an attempt that takes the process with it counts too.
  const attempt = await countAttempt(deps.db, batch)
  try {
    if (attempt > mostAttempts) throw new SheetError('unreadable')
    await deleteBulkRows(deps.db, batch, null)
    await readInto(deps, batch, source)
  } catch (error) {
    const known = error instanceof SheetError
    if (!known && attempt < mostAttempts) throw error
    if (!known) deps.log.error({ err: error }, 'a spreadsheet could not be read, twice')
    await giveUp(deps, batch, known ? error : new SheetError('unreadable'))
  }
  await notifyBatchGrown(deps, batch)
}

/** Marks a batch as failed. Its sender no longer waits at the screen where the reason is ours, so a mail says it. */
async function giveUp(deps: Deps, batch: BatchRow, { fault, vars }: SheetError): Promise<void> {
  await tx(deps.db, async (trx) => {
    await deleteBulkRows(trx, batch, null)
    const changes = { status: 'failed', fault, fault_vars: vars, rows_read: 0, forgetSource: true } as const
    await updateBatch(trx, batch, changes, deps.clock.now())
    const sender = fault === 'unreadable' ? await findUserById(trx, batch.created_by) : undefined
    if (!sender) return
    await addJob(trx, 'mail:send', {
      to: sender.email,
      template: 'bulk_failed',
      locale: sender.language as Locale,
      vars: {
        name: sender.name,
        file: batch.name ?? deps.translations(sender.language as Locale)('bulk.unnamed'),
        url: `${deps.config.http.publicUrl}/parcels/bulk/${batch.id}`,
      },
    })
  })
}

async function readInto(deps: Deps, batch: BatchRow, source: Buffer): Promise<void> {
  const rows = rowStore(await loadRowContext(deps, batch.account_id as AccountId, batch.sender), batch)
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
  for await (const row of readInThread(source, batch.source_format, readLimits)) {
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
