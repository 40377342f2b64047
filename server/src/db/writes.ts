/** Combines the writes of several domains into one SQL statement. */
import { type RawBuilder, sql } from 'kysely'
import { type Db, type DbOrTx, retryOnConflict, type Tx } from './pool.ts'
import { lastStatementMark } from './wire/edge-query.ts'

/**
 * A write that shares one statement with those of other domains. Each domain writes its own tables in its own CTEs;
 * the use case sends all of them as one statement. Every write sees the tables as they were before the statement, so
 * none may depend on another. They run and lock in the given order.
 */
export type Write = {
  /** `name as (…)`, separated by commas. Each write's names need a unique prefix. */
  ctes: RawBuilder<unknown>
  /** The CTE whose number of rows is checked. */
  cte: string
  /** The expected number of rows; null: any. */
  expected: number | null
  /** The error for any other number. The whole statement is then rolled back. */
  refused: () => Error
}

/** The error code of `expect_rows` (migration 0033). The error's column is the index of the write. */
const unexpectedRows = 'WB001'

/**
 * Runs the writes as one statement. If one of them wrote an unexpected number of rows, its error is thrown and nothing
 * is written.
 */
export async function runWrites(trx: DbOrTx, writes: readonly Write[]): Promise<void> {
  if (writes.length > 0) await sendWrites(trx, writes, sql``)
}

/**
 * `runWrites` as the last statement of the transaction that `tx` began on `db`: `commit` is sent with it. Nothing may
 * follow in this transaction. If `db` is a transaction itself, that one goes on.
 */
export async function runLastWrites(db: Db, trx: Tx, writes: readonly Write[]): Promise<void> {
  const nested = (db as DbOrTx) === trx
  await sendWrites(trx, writes, nested ? sql`` : sql.raw(lastStatementMark))
}

async function sendWrites(trx: DbOrTx, writes: readonly Write[], mark: RawBuilder<unknown>): Promise<void> {
  const ctes = sql.join(
    writes.map((write) => write.ctes),
    sql`, `,
  )
  const proofs = writes.flatMap(({ cte, expected }, n) =>
    expected === null
      ? []
      : sql`expect_rows(${sql.lit(String(n))}, (select count(*) from ${sql.ref(cte)}), ${expected}::bigint)`,
  )
  try {
    await sql`${mark} with ${ctes} select ${sql.join(proofs)}`.execute(trx)
  } catch (error) {
    const { code, column } = error as { code?: unknown; column?: unknown }
    if (code !== unexpectedRows) throw error
    throw writes[Number(column)]?.refused() ?? error
  }
}

/**
 * Runs the writes as a separate transaction. Nothing was locked before, so each write repeats the conditions under
 * which its data was read.
 */
export async function runWritesInTransaction(db: Db, writes: readonly Write[]): Promise<void> {
  await retryOnConflict(() => runWrites(db, writes))
}
