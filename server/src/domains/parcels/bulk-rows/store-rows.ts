/**
 * Rows of a batch on their way to the database: checked, priced, compared with what is there already, and stored some
 * hundreds at a time.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { BulkField } from '@waybill/contract/parcels/bulk'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { accountTopic } from '../../../http/live.ts'
import { later } from '../../../lib/clock.ts'
import type { CellMark } from '../../../lib/sheet/read.ts'
import { twinsFor } from '../bulk/jobs.ts'
import {
  type BatchRow,
  type BulkRowRow,
  findTwins,
  insertUnread,
  type KeptProblem,
  type Twin,
} from '../bulk/queries.ts'
import { priceRow } from './cells-price.ts'
import { checkRow, type Insisting } from './check-row.ts'
import type { Setting } from './context.ts'

/** Rows stored with one statement. */
const chunkSize = 500

/** Rows after which whoever waits is told how far it is. */
const toldEvery = 2000

/** So long the event loop is kept from others. */
const breathMs = 12

/** A row as it was read. */
export type Cells = Pick<BulkRowRow, 'row_number' | 'cells' | 'anyway'> & {
  marks?: Map<BulkField, CellMark>
  insisting?: Insisting
}
export type CheckedRow = Omit<BulkRowRow, 'parcel_id' | 'version'>

/**
 * Some rows checked and priced; `seen` knows the rows of this batch that were checked before, or null: what is stored
 * of it is asked.
 */
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
  const twins = await findTwins(deps.db, batch, asked, later(deps.clock.now(), -twinsFor), known === null)
  for (const row of checked) {
    const problems = row.problems ?? []
    if (row.hash && !row.anyway) {
      const twin = twins.get(row.row_number)
      const first = seen.get(row.hash)
      if (twin) problems.push(twinProblem(batch, twin))
      else if (first !== undefined && first !== row.row_number) {
        problems.push({ column: null, code: 'duplicate_row', vars: { row: first } })
      }
      if (first === undefined || first > row.row_number) seen.set(row.hash, row.row_number)
    }
    row.problems = problems.length > 0 ? problems : null
    row.state = problems.some(({ mild }) => !mild) ? 'bad' : 'good'
  }
  return checked
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

/** Tells whoever looks at the batch that there is more of it. */
export async function notifyBatchGrown(deps: Deps, batch: BatchRow): Promise<void> {
  const event = { type: 'bulk', id: batch.id, createdBy: batch.created_by }
  await deps.live.publish(deps.db, accountTopic(batch.account_id as AccountId), event)
}

/** Where the rows of a file go, one after the other. */
export type RowStore = {
  /** How many were taken so far. */
  taken(): number
  add(row: Cells): Promise<void>
  /** Waits until all are stored. Throws what storing threw. */
  finish(): Promise<void>
  /** Waits until nothing is being written any more; what was taken may be lost. */
  stop(): Promise<void>
}

/**
 * Stores the rows of a batch that is being read. While the database writes some the next ones are checked, and those
 * behind them read: three chunks at most are held.
 */
export function rowStore(setting: Setting, batch: BatchRow): RowStore {
  const { deps } = setting
  const seen = new Map<string, number>()
  let chunk: Cells[] = []
  let stored = 0
  let checking: Promise<void> = Promise.resolve()
  let storing: Promise<void> = Promise.resolve()
  const write = async (rows: readonly CheckedRow[], told: number | null) => {
    await insertUnread(deps.db, batch, rows, told, deps.clock.now())
    if (told !== null) await notifyBatchGrown(deps, batch)
  }
  const check = async (rows: readonly Cells[], told: number | null) => {
    const checked = await checkRows(setting, batch, rows, seen)
    await storing
    storing = write(checked, told)
    // Who awaits it hears what it threw.
    storing.catch(() => {})
  }
  const pass = async () => {
    await checking
    const rows = chunk
    chunk = []
    if (rows.length === 0) return
    stored += rows.length
    checking = check(rows, stored % toldEvery === 0 ? stored : null)
    checking.catch(() => {})
  }
  return {
    taken: () => stored + chunk.length,
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
