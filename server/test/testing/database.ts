import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createDb, createPool, type Db } from '../../src/db/pool.ts'
import { afterFile } from './after-file.ts'
import { withDatabase } from './temporary-postgres.ts'

export type TestDatabase = { url: string; pool: pg.Pool; db: Db }

/**
 * A migrated, empty database for the calling test file, with a pool and query builder on it. Dropped after the file's
 * last test, after everything that was registered with `afterFile` later than this call (an app on this database closes
 * first).
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('adminDatabaseUrl')
  const name = `waybill_test_${randomBytes(6).toString('hex')}`
  // The other strategy, file_copy, is slower for a schema without rows: it waits for two checkpoints.
  await asAdmin(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')} STRATEGY wal_log`)
  const url = withDatabase(adminUrl, name)
  const pool = createPool(url, { max: 10, name: 'waybill test' })
  afterFile(async () => {
    await pool.end()
    await asAdmin(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`)
  })
  return { url, pool, db: createDb(pool) }
}

async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
