/** Long reads and long deletes in small steps. */
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from './pool.ts'

/**
 * Reads rows in batches, so that memory holds one batch and no transaction or cursor stays open for a slow reader.
 * `fetch` returns the rows after the last one (null: from the beginning), in a unique order. An empty batch ends the
 * iteration.
 */
export async function* inBatches<R>(fetch: (after: R | null) => Promise<readonly R[]>): AsyncGenerator<R> {
  for await (const rows of readBatches(fetch)) yield* rows
}

/** Like `inBatches`, but yields whole batches: for many rows, where a promise per row would be expensive. */
export async function* readBatches<R>(fetch: (after: R | null) => Promise<readonly R[]>): AsyncGenerator<readonly R[]> {
  // The next batch is read while the reader consumes this one.
  let next = fetch(null)
  for (;;) {
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return
    next = fetch(last)
    // Nobody awaits this batch if the reader stops early or fails.
    next.catch(() => undefined)
    yield rows
  }
}

/** Rows per statement of a cleanup: few enough that no lock is held long. */
const sweepSize = 1000

/**
 * Deletes the rows of a table whose `column` is before a time, the oldest first, in small steps. `only`: a further
 * condition. A row that is locked stays until the next cleanup.
 */
export async function deleteOldRows(
  db: DbOrTx,
  table: string,
  column: string,
  before: Date | string,
  only: RawBuilder<unknown> = sql`true`,
): Promise<void> {
  await deleteInBatches(async (limit) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where ctid = any(array(
          select ctid
          from ${sql.table(table)}
          where ${sql.ref(column)} < ${before} and ${only}
          order by ${sql.ref(column)}
          limit ${limit}::int
          for update skip locked
        ))`.execute(db)
    return Number(numAffectedRows ?? 0)
  })
}

/** Deletes in small steps until nothing is left. `remove` deletes at most `limit` rows and returns how many. */
export async function deleteInBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  while ((await remove(sweepSize)) === sweepSize);
}
