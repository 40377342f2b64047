import { type BulkField, bulkFields, bulkLimits } from '@waybill/contract/parcels/bulk'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { tryToRead } from '../../../jobs/sheet-attempts.ts'
import { SheetError } from '../../../lib/sheet/error.ts'
import {
  cellText,
  findHeader,
  findHeaderNumber,
  type SheetHeader,
  withHeaderUnits,
} from '../../../lib/sheet/headers.ts'
import type { ReadRow } from '../../../lib/sheet/row.ts'
import { readTable, type TableShape } from '../../../lib/sheet/table.ts'
import { clip } from '../../../lib/text/clip.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import {
  type BatchRow,
  countAttempt,
  findBatch,
  findSource,
  lockBatches,
  updateBatch,
} from '../bulk/queries-batches.ts'
import { readColumnNames } from '../bulk/queries-columns.ts'
import { deleteBulkRows } from '../bulk/queries-rows.ts'
import { bulkHeaders, missingColumns } from './columns.ts'
import { loadRowContext, type RowContext } from './context.ts'
import { updateDuplicateMarks } from './duplicate-rows.ts'
import { readHeaderUnits } from './header-units.ts'
import { notifyBatch, type RowStore, rowStore } from './store-rows.ts'

const shape: TableShape<BulkField> = { fields: bulkFields, limits: bulkLimits }

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
  const fault = await tryToRead(deps.log, await countAttempt(deps.db, batch), async () => {
    await deleteBulkRows(deps.db, batch, null)
    await readInto(deps, batch, source)
  })
  if (fault) await failBatch(deps, batch, fault)
  await notifyBatch(deps, batch)
}

/** Marks a batch as failed. If the fault may be ours, the attempts took long, so the sender also gets a mail. */
async function failBatch(deps: Deps, batch: BatchRow, { fault, vars }: SheetError): Promise<void> {
  await tx(deps.db, async (trx) => {
    await lockBatches(trx, batch.account_id)
    await updateDuplicateMarks(deps, trx, batch.account_id, await deleteBulkRows(trx, batch, null))
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
  const context = await loadRowContext(deps, deps.db, batch.account_id as AccountId, batch.sender)
  const rows = rowStore(context, batch)
  try {
    if (!(await readRows(context, batch, source, rows))) return
    await rows.finish()
  } finally {
    // The caller may delete the rows next: a write that is still in progress would restore some of them.
    await rows.stop()
  }
  if (rows.count() === 0) throw new SheetError('no_rows')
  const changes = { status: 'ready', rows_read: rows.count(), forgetSource: true } as const
  await updateBatch(deps.db, batch, changes, deps.clock.now())
}

/** Adds the rows of the file to `rows`. False: the sender has to map the columns first. Throws SheetError. */
async function readRows(context: RowContext, batch: BatchRow, source: Buffer, rows: RowStore): Promise<boolean> {
  let isMapped = false
  let units: ReturnType<typeof readHeaderUnits> = new Map()
  const { deps } = context
  const remembered = await readColumnNames(deps.db, batch.account_id)
  const names = new Map<string, BulkField | null>([...bulkHeaders(deps), ...remembered])
  const table = readTable({ bytes: source, format: batch.source_format, names }, shape, async (firstRows) => {
    const header = await storeHeader(deps, batch, firstRows, names)
    isMapped = header !== null
    if (header) units = readHeaderUnits(context, header)
    return header
  })
  for await (const { number, cells, ...more } of table) {
    const withUnits = withHeaderUnits(cells, bulkFields, units)
    await rows.add({ row_number: number, override_duplicate: false, cells: withUnits, ...more })
  }
  return isMapped
}

/** The number of cells of each column that the sender sees when mapping it. */
const sampleCount = 3
/** The maximum number of characters shown of a cell. */
const sampleLength = 60

/** The first filled cells of each column below the header. */
function readSamples(rows: readonly ReadRow[], { number, headers }: SheetHeader<BulkField>): string[][] {
  const below = rows.filter((row) => row.number > number)
  return headers.map((_, n) =>
    below
      .map(({ cells }) => clip(cellText(cells[n]), sampleLength))
      .filter((text) => text !== '')
      .slice(0, sampleCount),
  )
}

/** Finds the header among the first rows and stores it. Null if columns are missing: the sender has to map them. */
async function storeHeader(
  deps: Deps,
  batch: BatchRow,
  rows: readonly ReadRow[],
  names: ReadonlyMap<string, BulkField | null>,
): Promise<SheetHeader<BulkField> | null> {
  const guess = findHeader(rows, names) ?? {
    number: 0,
    headers: [],
    mapping: [],
  }
  // The sender's mapping takes precedence.
  const number = findHeaderNumber(rows, batch.headers) ?? guess.number
  const header = batch.mapping.length > 0 ? { number, headers: batch.headers, mapping: batch.mapping } : guess
  const { headers, mapping } = header
  const samples = readSamples(rows, header)
  const missing = missingColumns(mapping, samples).length > 0
  const changes = { ...(missing ? { status: 'columns' as const } : {}), headers, mapping, samples }
  await updateBatch(deps.db, batch, changes, deps.clock.now())
  return missing ? null : header
}
