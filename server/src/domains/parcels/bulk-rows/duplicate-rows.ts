// Duplicates: of rows with the same contents, in any batch of an account, one is valid and the others name it.
import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { accountTopic } from '../../../http/live.ts'
import { days, later } from '../../../lib/clock.ts'
import { type BatchRow, lockBatches } from '../bulk/queries-batches.ts'
import { findRowsByHash, type RowWithHash, storeMarks } from '../bulk/queries-duplicates.ts'
import { type BulkRowRow, isWarning, type KeptProblem } from '../bulk/queries-rows.ts'

/** Rows are compared with other rows of this age at most, to find duplicates. */
export const comparisonPeriod = days(90)

/** The position of a row among all rows of the account. */
type Place = Pick<RowWithHash, 'batch_id' | 'batch_created_at' | 'row_number'>

/** The order of rows: earlier batches first. */
function comparePlaces(a: Place, b: Place): number {
  if (a.batch_id === b.batch_id) return a.row_number - b.row_number
  return a.batch_created_at.getTime() - b.batch_created_at.getTime() || (a.batch_id < b.batch_id ? -1 : 1)
}

/**
 * The first of these rows that makes a row a duplicate: a valid one, or one that became a parcel. A row further down
 * whose duplicate the sender overrides is an intended duplicate of this one.
 */
const findOriginal = (place: Place, rows: readonly RowWithHash[]): RowWithHash | undefined =>
  rows.find((row) => row.state !== 'bad' && (!row.override_duplicate || comparePlaces(row, place) < 0))

function duplicateProblem(batchId: string, original: RowWithHash): KeptProblem {
  if (original.shipped) {
    return original.tracking_number
      ? { column: null, code: 'duplicate_shipped', vars: { number: original.tracking_number } }
      : { column: null, code: 'duplicate_cart' }
  }
  if (original.batch_id === batchId) return rowProblem(original.row_number)
  return { column: null, code: 'duplicate_batch', vars: { row: original.row_number, batch: original.batch_name ?? '' } }
}

const rowProblem = (row: number): KeptProblem => ({ column: null, code: 'duplicate_row', vars: { row } })

/** Whether a problem marks its row as a duplicate. */
export const isDuplicateProblem = ({ code }: KeptProblem): boolean => code.startsWith('duplicate_')

type MarkedRow = Pick<BulkRowRow, 'row_number' | 'hash' | 'override_duplicate' | 'problems' | 'state'>

/** The state of a row with these problems. */
const toState = (problems: readonly KeptProblem[]) => (problems.every(isWarning) ? 'good' : 'bad')

/**
 * Adds the problem of a duplicate to rows, and sets their states. `earlier` has the first row of each hash of this
 * batch, and grows; with null, for edits, all other stored rows of the batch are searched.
 */
export async function markDuplicates(
  deps: Deps,
  trx: Tx,
  batch: BatchRow,
  rows: readonly MarkedRow[],
  earlier: Map<string, number> | null,
): Promise<void> {
  const firstRows = earlier ?? new Map<string, number>()
  const numbers = new Set(rows.map(({ row_number }) => row_number))
  const storedRows = await findRowsByHash(
    trx,
    batch.account_id,
    rows.flatMap(({ hash }) => hash ?? []),
    { since: later(deps.clock.now(), -comparisonPeriod), valid: true, except: earlier ? batch.id : null },
  )
  const others = storedRows.filter((row) => row.batch_id !== batch.id || !numbers.has(row.row_number))
  const byHash = Map.groupBy(others, ({ hash }) => hash)
  for (const row of rows) {
    const problems = row.problems ?? []
    if (row.hash) {
      const place = { batch_id: batch.id, batch_created_at: batch.created_at, row_number: row.row_number }
      const original = findOriginal(place, byHash.get(row.hash) ?? [])
      const first = firstRows.get(row.hash)
      if (original && !row.override_duplicate) problems.push(duplicateProblem(batch.id, original))
      else if (first !== undefined && first !== row.row_number && !row.override_duplicate)
        problems.push(rowProblem(first))
      if (first === undefined || first > row.row_number) firstRows.set(row.hash, row.row_number)
    }
    row.problems = problems.length > 0 ? problems : null
    row.state = toState(problems)
  }
}

/**
 * Checks marked rows with these hashes again, in every batch, after another row with one of them was changed, deleted
 * or put in the cart. Returns the rows whose mark has changed.
 */
export async function updateDuplicateMarks(
  deps: Deps,
  trx: Tx,
  accountId: string,
  hashes: readonly string[],
): Promise<RowWithHash[]> {
  if (hashes.length === 0) return []
  await lockBatches(trx, accountId)
  const since = later(deps.clock.now(), -comparisonPeriod)
  const byHash = Map.groupBy(await findRowsByHash(trx, accountId, hashes, { since, valid: false }), ({ hash }) => hash)
  const changed: RowWithHash[] = []
  for (const group of byHash.values()) {
    // From above: the first row that becomes valid marks those below it.
    for (const row of group.toSorted(comparePlaces)) {
      const mark = row.problems?.find(isDuplicateProblem)
      if (!mark) continue
      const original = findOriginal(row, group)
      const problem = original && duplicateProblem(row.batch_id, original)
      if (isDeepStrictEqual(mark, problem)) continue
      const problems = (row.problems ?? []).flatMap((each) => (each === mark ? (problem ?? []) : each))
      row.problems = problems.length > 0 ? problems : null
      row.state = toState(problems)
      changed.push(row)
    }
  }
  if (changed.length === 0) return []
  await storeMarks(trx, accountId, changed)
  const batches = new Map(changed.map((row) => [row.batch_id, row.batch_created_by]))
  await deps.live.publishAll(
    trx,
    [...batches].map(([id, createdBy]) => ({
      topic: accountTopic(accountId as AccountId),
      data: { type: 'bulk', id, createdBy },
    })),
  )
  return changed
}
