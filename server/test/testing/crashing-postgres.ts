/** A PostgreSQL of its own that keeps what it has acknowledged, slows its log down when told to, and can be killed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { createDb, createPool } from '../../src/db/pool.ts'
import { afterFile } from './after-file.ts'
import type { TestDatabase } from './database.ts'
import { startTemporaryPostgres } from './temporary-postgres.ts'

export type CrashingPostgres = {
  database: TestDatabase
  /** Every write of the log to the disk takes a tenth of a second from now on. */
  slowDown(): Promise<void>
  /** No commit is confirmed from now on: each waits for a second server that never answers. */
  withhold(): Promise<void>
  /** Those that wait are confirmed, and all others at once. */
  confirm(): Promise<void>
  /** How many commits of calls wait to be confirmed. */
  unconfirmed(): Promise<number>
  /** PostgreSQL ends at once: what is not on the disk is gone. It starts again by itself. */
  kill(): void
  /** Waits until it is back, at its usual speed. */
  back(): Promise<void>
}

/** Starts one with a migrated, empty database. Stopped after the file's last test. */
export async function startCrashingPostgres(): Promise<CrashingPostgres> {
  const postgres = await startTemporaryPostgres(() => undefined, {
    fsync: 'on',
    synchronous_commit: 'on',
    // Only those who wait for the disk write to it: nothing is durable by luck.
    wal_writer_delay: '10s',
    wal_writer_flush_after: '64MB',
    commit_siblings: '0',
    autovacuum: 'off',
  })
  const { url } = postgres
  const pool = createPool(url, { max: 40, name: 'waybill crash test' })
  afterFile(async () => {
    await pool.end()
    await postgres.stop()
  })
  await migrate(url)
  const configure = async (name: 'commit_delay' | 'synchronous_standby_names', value: string) => {
    const client = new pg.Client({ connectionString: url })
    // The server may end once more while we are connected; the next try tells.
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
  return {
    database: { url, pool, db: createDb(pool) },
    slowDown: () => configure('commit_delay', '100000'),
    withhold: () => configure('synchronous_standby_names', 'nobody'),
    confirm: () => configure('synchronous_standby_names', ''),
    async unconfirmed() {
      const { rows } = await pool.query<{ count: number }>(`
        select count(*)::int as count from pg_stat_activity
        where wait_event = 'SyncRep' and query !~ 'rate_limits|graphile_worker'`)
      return rows[0]?.count ?? 0
    },
    kill() {
      const [pid] = readFileSync(join(postgres.folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
      // The immediate shutdown: every process of it ends where it is, and the next start recovers from the log.
      process.kill(Number(pid), 'SIGQUIT')
    },
    async back() {
      const undelayed = () =>
        configure('commit_delay', '0').then(
          () => true,
          () => false,
        )
      await expect.poll(undelayed, { timeout: 60_000, interval: 50 }).toBe(true)
    },
  }
}
