import { type RawBuilder, sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { TestApp } from './app.ts'

/**
 * Forces an order of events. A transaction runs `change`, which takes a lock. Each call starts once the previous one
 * waits for a lock, so all of them have finished the reads before their locks. Then the transaction commits, and the
 * calls continue in the order of the list. Fails if a call ends without waiting.
 */
export async function queueBehind<T extends readonly (() => Promise<unknown>)[]>(
  test: TestApp,
  change: RawBuilder<unknown>,
  ...calls: T
): Promise<{ [N in keyof T]: Awaited<ReturnType<T[N]>> }> {
  const started: Promise<unknown>[] = []
  await test.deps.db.transaction().execute(async (trx) => {
    await change.execute(trx)
    for (const call of calls) {
      const answer = call()
      started.push(answer)
      const unlocked = answer.then(() => Promise.reject(new Error('a call ended without waiting for a lock')))
      const everyoneWaits = async () => expect(await countWaiting(test)).toBe(started.length)
      await Promise.race([vi.waitFor(everyoneWaits, { timeout: 20_000, interval: 10 }), unlocked])
      unlocked.catch(() => undefined)
    }
  })
  return (await Promise.all(started)) as { [N in keyof T]: Awaited<ReturnType<T[N]>> }
}

/** The number of sessions of this test's database that wait for a lock of another session. */
export async function countWaiting(test: TestApp): Promise<number> {
  const { rows } = await sql<{ sessions: number }>`
    select count(*)::int as sessions from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(test.deps.db)
  return rows[0]?.sessions ?? 0
}
