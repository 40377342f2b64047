// Checks, prices and stores the rows of a batch, a thousand at a time.
import { setImmediate as breathe } from 'node:timers/promises'
import type { BulkField } from '@waybill/contract/parcels/bulk'
import { type Db, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { accountTopic } from '../../../http/live.ts'
import type { CellMark } from '../../../lib/sheet/row.ts'
import type { BatchRow } from '../bulk/queries-batches.ts'
import { type BulkRowRow, insertUnread, type NewBulkRow } from '../bulk/queries-rows.ts'
import { priceRow } from './cells-price.ts'
import { checkRow, type OverrideContext } from './check-row.ts'
import type { RowContext } from './context.ts'
import { markDuplicates } from './duplicate-rows.ts'

/** Rows per statement. With 500, an import took 35 to 40 ms more of Node's time. */
const chunkSize = 1000

/** Rows between two progress reports. */
const reportEvery = 2000

/** How long the event loop may be blocked before other requests get their turn. */
const blockMs = 12

/** A row as read from the file. */
export type Cells = Pick<BulkRowRow, 'row_number' | 'cells' | 'override_duplicate'> & {
  marks?: Map<BulkField, CellMark>
  /** The spreadsheet does not show the row. */
  hidden?: boolean
  overrideContext?: OverrideContext
}

/** Checks and prices rows, and marks duplicates among them, as `markDuplicates` does. */
export async function checkRows(
  context: RowContext,
  db: Db,
  batch: BatchRow,
  rows: readonly Cells[],
  earlier: Map<string, number> | null,
): Promise<NewBulkRow[]> {
  const { deps } = context
  let start = performance.now()
  const checkedRows: NewBulkRow[] = []
  for (const { row_number, cells, override_duplicate, marks, hidden, overrideContext } of rows) {
    if (performance.now() - start > blockMs) {
      await breathe()
      start = performance.now()
    }
    const { input, problems, hash, overrides } = checkRow(context, cells, marks, overrideContext)
    if (hidden) problems.push({ column: null, code: 'row_hidden' })
    let price_minor: number | null = null
    if (input?.sender) {
      const pricedRow = await priceRow(context, input)
      if ('price' in pricedRow) price_minor = pricedRow.price.price_minor
      else problems.push(pricedRow)
    }
    checkedRows.push({
      row_number,
      cells: withoutTail(cells),
      problems,
      state: 'bad',
      price_minor,
      hash: input ? hash : null,
      override_duplicate,
      overrides,
    })
  }
  await tx(db, (trx) => markDuplicates(deps, trx, batch, checkedRows, earlier))
  return checkedRows
}

/** Cells up to the last that is not empty. */
function withoutTail(cells: readonly string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
}

/** Notifies open screens of the account that the batch has changed. */
export async function notifyBatch(deps: Deps, batch: BatchRow): Promise<void> {
  const event = { type: 'bulk', id: batch.id, createdBy: batch.created_by }
  await deps.live.publish(deps.db, accountTopic(batch.account_id as AccountId), event)
}

export type RowStore = {
  /** How many rows were added. */
  count(): number
  add(row: Cells): Promise<void>
  /** Stores the last rows. Rejects with the first error of storing. */
  finish(): Promise<void>
  /** Resolves when no write is in progress; added rows may be lost. */
  stop(): Promise<void>
}

/**
 * Stores the rows of a batch that is being read. One chunk is written while the next is checked and a third is read, so
 * at most three chunks are in memory.
 */
export function rowStore(context: RowContext, batch: BatchRow): RowStore {
  const { deps } = context
  const firstRows = new Map<string, number>()
  let chunk: Cells[] = []
  let passed = 0
  let checking: Promise<void> = Promise.resolve()
  let storing: Promise<void> = Promise.resolve()
  const write = async (rows: readonly NewBulkRow[], progress: number | null) => {
    await insertUnread(deps.db, batch, rows, progress, deps.clock.now())
    if (progress !== null) await notifyBatch(deps, batch)
  }
  const check = async (rows: readonly Cells[], progress: number | null) => {
    const checkedRows = await checkRows(context, deps.db, batch, rows, firstRows)
    await storing
    storing = write(checkedRows, progress)
    // The error is thrown where `storing` is awaited; without this, Node ends the process before that.
    storing.catch(() => {})
  }
  const pass = async () => {
    await checking
    const rows = chunk
    chunk = []
    if (rows.length === 0) return
    passed += rows.length
    checking = check(rows, passed % reportEvery === 0 ? passed : null)
    checking.catch(() => {})
  }
  return {
    count: () => passed + chunk.length,
    async add(row) {
      chunk.push(row)
      if (chunk.length === chunkSize) await pass()
    },
    async finish() {
      await pass()
      await checking
      await storing
    },
    async stop() {
      await Promise.allSettled([checking])
      await Promise.allSettled([storing])
    },
  }
}
