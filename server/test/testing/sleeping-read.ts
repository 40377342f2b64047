import { sql } from 'kysely'
import { expect } from 'vitest'
import { readFromReplicas } from '../../src/db/replicas/read-scope.ts'
import type { Deps } from '../../src/deps.ts'
import type { Standby } from './standby.ts'

/** The process ids of the replica's backends whose statement sleeps. */
async function listSleepingBackends(standby: Standby): Promise<number[]> {
  const query = "select pid from pg_stat_activity where wait_event = 'PgSleep'"
  return (await standby.query<{ pid: number }>(query)).map(({ pid }) => pid)
}

/**
 * Starts a statement that the replica takes a minute to complete, and the primary no time. The primary answers while
 * the replica has yet to replay the newest commits: then the statement is sent again. One of an earlier test may still
 * be sleeping.
 */
export async function startSleep(standby: Standby, app: { deps: Deps }) {
  const earlier = await listSleepingBackends(standby)
  const sleep = sql`select pg_sleep(case when pg_is_in_recovery() then 60 else 0 end)`
  const send = () => {
    const attempt = { isAnswered: false, statement: readFromReplicas(() => sleep.execute(app.deps.db)) }
    const markAnswered = () => {
      attempt.isAnswered = true
    }
    attempt.statement.then(markAnswered, markAnswered)
    return attempt
  }
  let attempt = send()
  const listNew = async () => {
    if (attempt.isAnswered) attempt = send()
    return (await listSleepingBackends(standby)).filter((pid) => !earlier.includes(pid))
  }
  await expect.poll(listNew, { timeout: 20_000 }).toHaveLength(1)
  return { statement: attempt.statement }
}
