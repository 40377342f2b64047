/** Reads one page of a list, together with the total number of rows. */
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from './pool.ts'

/** The number of rows of `from` (`from`, tables and conditions), at most `most`; null counts all. */
export async function countRows(db: DbOrTx, from: RawBuilder<unknown>, most: number | null): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total ${most === null ? from : sql`from (select 1 ${from} limit ${most}::int) as counted`}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** The number of rows in each tab of a list, by `count`. */
export async function countTabs<T extends string>(
  tabs: readonly T[],
  count: (tab: T) => Promise<number>,
): Promise<Record<T, number>> {
  const counts = await Promise.all(tabs.map(count))
  return Object.fromEntries(tabs.map((tab, n) => [tab, counts[n] ?? 0])) as Record<T, number>
}

/** Runs the query of a page and counts the rows of `from` (tables and conditions, without the keyword) up to `most`. */
export async function readPage<R>(
  db: DbOrTx,
  page: RawBuilder<R>,
  from: RawBuilder<unknown>,
  most: number | null = null,
): Promise<{ rows: R[]; total: number }> {
  const [{ rows }, total] = await Promise.all([page.execute(db), countRows(db, sql`from ${from}`, most)])
  return { rows, total }
}
