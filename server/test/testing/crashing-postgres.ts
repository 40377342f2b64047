/** A separate, durable PostgreSQL server that tests can slow down and kill. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { createDb, createPool } from '../../src/db/pool.ts'
import { afterUse } from './after-use.ts'
import type { TestDatabase } from './database.ts'
import { startTemporaryPostgres } from './temporary-postgres.ts'

export type CrashingPostgres = {
  database: TestDatabase
  /** From now on, every flush of the log to the disk takes a tenth of a second. */
  slowDown(): Promise<void>
  /** From now on, no commit is confirmed: each waits for a standby server that does not exist. */
  withhold(): Promise<void>
  /** Confirms the waiting commits, and all later ones immediately. */
  confirm(): Promise<void>
  /** The number of commits by API calls that wait for confirmation. */
  unconfirmed(): Promise<number>
  /** Stops PostgreSQL immediately, which loses data that is not on the disk. It restarts by itself. */
  kill(): void
  /** Waits until it has restarted, and restores its usual speed. */
  back(): Promise<void>
}

/** Starts the server with a migrated, empty database. Stopped with its test or its file. */
export async function startCrashingPostgres(): Promise<CrashingPostgres> {
  const postgres = await startTemporaryPostgres(() => undefined, {
    fsync: 'on',
    synchronous_commit: 'on',
    // Only a commit that waits for the disk writes to it, so nothing becomes durable by chance.
    wal_writer_delay: '10s',
    wal_writer_flush_after: '64MB',
    commit_siblings: '0',
    autovacuum: 'off',
  })
  const { url } = postgres
  const pool = createPool(url, { max: 40, name: 'waybill crash test' })
  afterUse(async () => {
    await pool.end()
    await postgres.stop()
  })
  await migrate(url)
  const configure = async (name: 'commit_delay' | 'synchronous_standby_names', value: string) => {
    const client = new pg.Client({ connectionString: url })
    // The server may stop again while we are connected. The next attempt shows this.
    client.on('error', () => undefined)
    await client.connect()
    try {
      await client.query(`alter system set ${name} = '${value}'`)
      await client.query('select pg_reload_conf()')
      await expect.poll(async () => (await client.query(`show ${name}`)).rows[0]?.[name]).toBe(value)
    } finally {
      await client.end()
    }
  }
  /** The number of commits that wait for confirmation. */
  const countWaiting = async (condition: string) => {
    const { rows } = await pool.query<{ count: number }>(`
      select count(*)::int as count from pg_stat_activity where wait_event = 'SyncRep' and ${condition}`)
    return rows[0]?.count ?? 0
  }
  return {
    database: { url, pool, db: createDb(pool) },
    slowDown: () => configure('commit_delay', '100000'),
    async withhold() {
      await configure('synchronous_standby_names', 'nobody')
      // The checkpointer makes commits wait, some time after sessions have the setting. The last probe stays until
      // `confirm`.
      const isWithheld = async () => {
        let isDone = false
        const probe = pool.query(`select pg_logical_emit_message(true, 'probe', '')`)
        void probe.catch(() => undefined).then(() => (isDone = true))
        await expect.poll(async () => isDone || (await countWaiting("query ~ 'probe'")) > 0, { interval: 5 }).toBe(true)
        return !isDone
      }
      await expect.poll(isWithheld, { interval: 5 }).toBe(true)
    },
    confirm: () => configure('synchronous_standby_names', ''),
    unconfirmed: () => countWaiting("query !~ 'rate_limits|graphile_worker|probe'"),
    kill() {
      const [pid] = readFileSync(join(postgres.folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
      // Immediate shutdown: all processes stop at once, and the next start recovers from the log.
      process.kill(Number(pid), 'SIGQUIT')
    },
    async back() {
      const resetDelay = () =>
        configure('commit_delay', '0').then(
          () => true,
          () => false,
        )
      await expect.poll(resetDelay, { timeout: 60_000, interval: 50 }).toBe(true)
    },
  }
}
