/** Work of scheduled jobs on many items. One that fails every time holds up no other, and is visible as failed work. */
import { type Db, isUnavailable, type Tx, tx } from '../db/pool.ts'

/** So many failures have a common cause, such as a file store that is down. The run ends; the next one tries again. */
const mostFailures = 20

/** Collects the errors of single items. */
class Failures {
  readonly #errors: unknown[] = []

  /** Throws if no further item should be tried: the database is unavailable, or too many items have failed. */
  add(error: unknown): void {
    if (isUnavailable(error)) throw error
    this.#errors.push(error)
    if (this.#errors.length >= mostFailures) this.throwIfAny()
  }

  /** Throws one error for all failures, so that the job counts as failed. */
  throwIfAny(): void {
    const [first] = this.#errors
    if (first === undefined) return
    const reason = first instanceof Error ? first.message : String(first)
    throw new AggregateError(this.#errors, `${this.#errors.length} of the items failed, the first with: ${reason}`)
  }
}

/** Runs `work` for each item, one after the other. Throws AggregateError at the end if items failed. */
export async function forEachItem<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures = new Failures()
  for await (const item of items) {
    try {
      await work(item)
    } catch (error) {
      failures.add(error)
    }
  }
  failures.throwIfAny()
}

/** Runs `work` for all items at the same time, and waits for all. Throws AggregateError if items failed. */
export async function forEachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failures = new Failures()
  for (const result of await Promise.allSettled(items.map(work)))
    if (result.status === 'rejected') failures.add(result.reason)
  failures.throwIfAny()
}

/**
 * Runs `work` for rows in batches, each in one transaction. `take` locks at most `limit` rows, without those of
 * `except`; `work` changes them, so that `take` no longer finds them. If a batch fails, half of it is tried, down to
 * the failing row. Throws AggregateError at the end if rows failed.
 */
export async function forEachBatch<R extends { id: string }>(
  db: Db,
  batch: number,
  take: (trx: Tx, limit: number, except: readonly string[]) => Promise<R[]>,
  work: (trx: Tx, rows: R[]) => Promise<unknown>,
): Promise<void> {
  const failures = new Failures()
  const failedIds: string[] = []
  for (let limit = batch, more = true; more; ) {
    let rows: R[] = []
    try {
      await tx(db, async (trx) => {
        rows = await take(trx, limit, failedIds)
        if (rows.length > 0) await work(trx, rows)
      })
      more = rows.length === limit
    } catch (error) {
      const [row] = rows
      if (row === undefined || isUnavailable(error)) throw error
      if (rows.length === 1) {
        failures.add(error)
        failedIds.push(row.id)
        limit = batch
      } else {
        limit = Math.floor(rows.length / 2)
      }
    }
  }
  failures.throwIfAny()
}
