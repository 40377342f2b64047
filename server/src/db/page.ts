/** Reads one page of a list, together with the total number of rows. */
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from './pool.ts'

/**
 * Runs the query of a page and counts the rows of `from` (tables and conditions, without the keyword). Counting stops
 * at `countLimit`, because counting millions of rows is slow; null counts all.
 */
export async function readPage<R>(
  db: DbOrTx,
  page: RawBuilder<R>,
  from: RawBuilder<unknown>,
  countLimit: number | null = null,
): Promise<{ rows: R[]; total: number }> {
  const count =
    countLimit === null
      ? sql<{ total: number }>`select count(*)::int as total from ${from}`
      : sql<{ total: number }>`
          select count(*)::int as total from (select 1 from ${from} limit ${countLimit}::int) as counted`
  const [{ rows }, totals] = await Promise.all([page.execute(db), count.execute(db)])
  return { rows, total: totals.rows[0]?.total ?? 0 }
}
