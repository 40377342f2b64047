import { type RawBuilder, sql } from 'kysely'
import { type Db, type DbOrTx, whileContended } from './pool.ts'

/**
 * A write that can share a statement with those of other domains: each domain writes its own tables in its own CTEs,
 * and the use case sends them as one. Steps see the tables as they were before the statement, so none may depend on
 * what another writes. They are carried out, and so take their locks, in the order in which they are given.
 */
export type Write = {
  /** `name as (…)`, comma separated; names begin with something that no other step has. */
  ctes: RawBuilder<unknown>
  /** The CTE whose rows tell how much was written. */
  counted: string
  /** How many rows that are when all went well. */
  expected: number
  /** What it means to the caller when they are others; the whole statement is undone then. */
  refused: () => Error
}

/** What `expect_rows` (migration 0033) raises; the step's place in the statement is the error's column. */
const unexpectedRows = 'WB001'

/**
 * Runs steps as one statement. Throws what the first step says that wrote other than it meant to; then nothing of the
 * statement is written.
 */
export async function runWrites(trx: DbOrTx, steps: readonly Write[]): Promise<void> {
  if (steps.length === 0) return
  const ctes = sql.join(
    steps.map((step) => step.ctes),
    sql`, `,
  )
  const proofs = sql.join(
    steps.map(
      ({ counted, expected }, n) =>
        sql`expect_rows(${sql.lit(String(n))}, (select count(*) from ${sql.ref(counted)}), ${expected}::bigint)`,
    ),
  )
  try {
    await sql`with ${ctes} select ${proofs}`.execute(trx)
  } catch (error) {
    const { code, column } = error as { code?: unknown; column?: unknown }
    if (code !== unexpectedRows) throw error
    throw steps[Number(column)]?.refused() ?? error
  }
}

/**
 * The steps as a transaction of their own, which is this one statement. Nothing was locked before it, so each step
 * repeats in its own conditions what must still be true of what was read.
 */
export async function runWritesInTransaction(db: Db, steps: readonly Write[]): Promise<void> {
  await whileContended(() => runWrites(db, steps))
}
