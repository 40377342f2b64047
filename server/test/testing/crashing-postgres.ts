/** A PostgreSQL of its own that keeps what it has acknowledged, slows its log down when told to, and can be killed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { createDb, createPool } from '../../src/db/pool.ts'
import type { TestDatabase } from './database.ts'
import { startTemporaryPostgres } from './temporary-postgres.ts'

export type CrashingPostgres = {
  database: TestDatabase
  /** Every write of the log to the disk takes a tenth of a second from now on. */
  slowDown(): Promise<void>
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
  const pool = createPool(url, { max: 20, name: 'waybill crash test' })
  afterAll(async () => {
    await pool.end()
    await postgres.stop()
  })
  await migrate(url)
  const setDelay = async (microseconds: number) => {
    const client = new pg.Client({ connectionString: url })
    // The server may end once more while we are connected; the next try tells.
    client.on('error', () => undefined)
    await client.connect()
    try {
      await client.query(`alter system set commit_delay = ${microseconds}`)
      await client.query('select pg_reload_conf()')
      await expect
        .poll(async () => (await client.query('show commit_delay')).rows[0]?.commit_delay)
        .toBe(String(microseconds))
    } finally {
      await client.end()
    }
  }
  return {
    database: { url, pool, db: createDb(pool) },
    slowDown: () => setDelay(100_000),
    kill() {
      const [pid] = readFileSync(join(postgres.folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')
      // The immediate shutdown: every process of it ends where it is, and the next start recovers from the log.
      process.kill(Number(pid), 'SIGQUIT')
    },
    async back() {
      const undelayed = () =>
        setDelay(0).then(
          () => true,
          () => false,
        )
      await expect.poll(undelayed, { timeout: 60_000, interval: 50 }).toBe(true)
    },
  }
}
