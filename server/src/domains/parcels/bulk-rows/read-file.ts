// Reads a file into rows. It is read as a stream in a child process, so it holds up neither memory nor the event loop.
import { type BulkField, bulkFields, bulkLimits } from '@waybill/contract/parcels/bulk'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { SheetError } from '../../../lib/sheet/error.ts'
import { cellText, findHeader, findHeaderRow, rowsAboveHeader, type SheetHeader } from '../../../lib/sheet/headers.ts'
import { type ProcessLimits, readInProcess } from '../../../lib/sheet/processes.ts'
import type { CellMark, ReadRow } from '../../../lib/sheet/row.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { type BatchRow, countAttempt, findBatch, findSource, updateBatch } from '../bulk/queries-batches.ts'
import { deleteBulkRows } from '../bulk/queries-rows.ts'
import { bulkHeaders, type Mapping, missingColumns } from './columns.ts'
import { loadRowContext } from './context.ts'
import { type Cells, notifyBatch, type RowStore, rowStore } from './store-rows.ts'

/**
 * The limits of the reader. It does not know which row is the header, so it allows some more rows than we do. The bytes
 * are those of 10,000 rows with every column filled.
 */
export const readLimits: ProcessLimits = {
  rows: bulkLimits.rows + rowsAboveHeader,
  bytes: 30_000_000,
  ratio: 200,
  deadline: 12_000,
}

/** Attempts after which a file is given up: it may be what makes the process crash. */
const mostAttempts = 2

type Header = SheetHeader<BulkField>

const indexOf = Object.fromEntries(bulkFields.map((field, n) => [field, n])) as Record<BulkField, number>

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
    cells[indexOf[field]] = mark === 'formula_error' ? '' : cellText(row.cells[column]).slice(0, bulkLimits.cell)
  }
  return { row_number: row.number, cells, anyway: false, ...(marks ? { marks } : {}) }
}

/**
 * The job that reads a batch's file, from the beginning at each attempt. After the second failed attempt the batch is
 * marked as failed and its sender gets a mail.
 */
export async function readBulk(
  deps: Deps,
  { accountId, batchId }: { accountId: string; batchId: string },
): Promise<void> {
  const batch = await findBatch(deps.db, accountId, batchId, null)
  const source = batch?.status === 'reading' ? await findSource(deps.db, accountId, batchId) : null
  if (!batch || !source) return
  // Counted before reading: an attempt that crashes the process must count too.
  const attempt = await countAttempt(deps.db, batch)
  try {
    if (attempt > mostAttempts) throw new SheetError('unreadable')
    await deleteBulkRows(deps.db, batch, null)
    await readInto(deps, batch, source)
  } catch (error) {
    const faulty = error instanceof SheetError
    if (!faulty && attempt < mostAttempts) throw error
    if (!faulty) deps.log.error({ err: error }, 'a spreadsheet could not be read, twice')
    await giveUpPickup(deps, batch, faulty ? error : new SheetError('unreadable'))
  }
  await notifyBatch(deps, batch)
}

/** Marks a batch as failed. Where the fault may be ours, the attempts took long, so the sender also gets a mail. */
async function giveUpPickup(deps: Deps, batch: BatchRow, { fault, vars }: SheetError): Promise<void> {
  await tx(deps.db, async (trx) => {
    await deleteBulkRows(trx, batch, null)
    const changes = { status: 'failed', fault, fault_vars: vars, rows_read: 0, forgetSource: true } as const
    await updateBatch(trx, batch, changes, deps.clock.now())
    if (fault !== 'unreadable') return
    await notify(deps, trx, {
      kind: 'bulk_failed',
      to: { users: [batch.created_by] },
      subjectId: batch.id,
      facts: { file: batch.name ?? fact.phrase('bulk.unnamed') },
    })
  })
}

/** Reads all rows and marks the batch as ready, unless the sender has to map its columns first. Throws SheetError. */
async function readInto(deps: Deps, batch: BatchRow, source: Buffer): Promise<void> {
  const rows = rowStore(await loadRowContext(deps, batch.account_id as AccountId, batch.sender), batch)
  try {
    if (!(await readRows(deps, batch, source, rows))) return
    await rows.finish()
  } finally {
    // The caller may delete the rows next: a write that is still under way would bring some back.
    await rows.stop()
  }
  if (rows.count() === 0) throw new SheetError('no_rows')
  const changes = { status: 'ready', rows_read: rows.count(), forgetSource: true } as const
  await updateBatch(deps.db, batch, changes, deps.clock.now())
}

/** Adds the rows of the file to `rows`. False: the sender has to map the columns first. Throws SheetError. */
async function readRows(deps: Deps, batch: BatchRow, source: Buffer, rows: RowStore): Promise<boolean> {
  let firstRows: ReadRow[] = []
  let header: Header | null = null
  const take = async (row: ReadRow, { number, mapping }: Header) => {
    if (row.number <= number) return
    if (rows.count() >= bulkLimits.rows) throw new SheetError('too_many_rows', { max: bulkLimits.rows })
    const cells = asCells(row, mapping)
    if (!cells.marks && cells.cells.every((cell) => cell === '')) return
    await rows.add(cells)
  }
  const begin = async (): Promise<Header | null> => {
    const header = await storeHeader(deps, batch, firstRows)
    if (header) for (const row of firstRows) await take(row, header)
    firstRows = []
    return header
  }
  for await (const row of readInProcess(source, batch.source_format, readLimits)) {
    if (header) {
      await take(row, header)
      continue
    }
    firstRows.push(row)
    if (firstRows.length < rowsAboveHeader) continue
    header = await begin()
    if (!header) return false
  }
  if (header) return true
  if (firstRows.length === 0) throw new SheetError('empty')
  return (await begin()) !== null
}

/** Finds the header among the first rows and stores it. Null where columns are missing: the sender has to map them. */
async function storeHeader(deps: Deps, batch: BatchRow, rows: readonly ReadRow[]): Promise<Header | null> {
  const guess = findHeader(rows, bulkHeaders(deps)) ?? { number: 0, headers: [], mapping: [] }
  // The sender's mapping takes precedence.
  const number = findHeaderRow(rows, batch.headers)?.number ?? guess.number
  const header = batch.mapping.length > 0 ? { ...guess, number, mapping: batch.mapping } : guess
  const { headers, mapping } = header
  const missing = missingColumns(mapping).length > 0
  const changes = { ...(missing ? { status: 'columns' as const } : {}), headers, mapping }
  await updateBatch(deps.db, batch, changes, deps.clock.now())
  return missing ? null : header
}
