import { type RawBuilder, sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { TestApp } from './app.ts'

/**
 * Forces an order of events. A transaction runs `change`, which takes a lock. Then each call is started once the one
 * before it waits for a lock, so all of them have read what they read before their locks. At the end the transaction
 * commits, and the calls go on in the order in which they were given. Fails when a call ends without having waited.
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
      const everyoneWaits = async () => expect(await waiting(test)).toBe(started.length)
      await Promise.race([vi.waitFor(everyoneWaits, { timeout: 20_000, interval: 10 }), unlocked])
      unlocked.catch(() => undefined)
    }
  })
  return (await Promise.all(started)) as { [N in keyof T]: Awaited<ReturnType<T[N]>> }
}

/** Sessions of this test's database that wait for another one's lock. */
async function waiting(test: TestApp): Promise<number> {
  const { rows } = await sql<{ sessions: number }>`
    select count(*)::int as sessions from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(test.deps.db)
  return rows[0]?.sessions ?? 0
}
