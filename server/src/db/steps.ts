import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from './pool.ts'

/**
 * A write that can share a statement with those of other domains: each domain writes its own tables in its own CTEs, and the use case sends them as one. Steps
 * see the tables as they were before the statement, so none may depend on what another writes.
 */
export type Step = {
  /** `name as (…)`, comma separated; names begin with something that no other step has. */
  ctes: RawBuilder<unknown>
  /** The CTE whose rows tell how much was written. */
  counted: string
  /** Throws when so many rows are not what was meant; the transaction is rolled back then. */
  verify?: (count: number) => void
}

/** `commitEarly`: the transaction's commit won't wait for the disk; for `txFlushedAfter` only, which does. */
type Options = { commitEarly?: boolean }

/** Runs steps as one statement in a transaction and verifies each. */
export async function runSteps(
  trx: DbOrTx,
  steps: readonly Step[],
  { commitEarly = false }: Options = {},
): Promise<void> {
  if (steps.length === 0) return
  const ctes = sql.join(
    steps.map((step) => step.ctes),
    sql`, `,
  )
  const counts = sql.join(
    steps.map(({ counted }, n) => sql`(select count(*) from ${sql.ref(counted)}) as ${sql.ref(`step${n}`)}`),
  )
  const { rows } = await sql<Record<string, number>>`
    with ${ctes} select ${counts}${commitEarly ? sql`, set_config('synchronous_commit', 'off', true)` : sql``}`.execute(
    trx,
  )
  for (const [n, { verify }] of steps.entries()) verify?.(rows[0]?.[`step${n}`] ?? 0)
}
