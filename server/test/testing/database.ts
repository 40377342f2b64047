import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createDb, createPool, type Db } from '../../src/db/pool.ts'
import { afterUse } from './after-use.ts'
import { withDatabase } from './temporary-postgres.ts'

export type TestDatabase = { url: string; pool: pg.Pool; db: Db }

/**
 * A migrated, empty database for the calling test or test file, with a pool and a query builder. It is dropped with
 * it. Cleanups that were registered later with `afterUse` run first, so an app closes before the drop.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('adminDatabaseUrl')
  const name = `waybill_test_${randomBytes(6).toString('hex')}`
  // The default, wal_log, takes twice the CPU time: it copies the template page by page through shared buffers.
  await asAdmin(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')} STRATEGY file_copy`)
  const url = withDatabase(adminUrl, name)
  const pool = createPool(url, { max: 10, name: 'waybill test' })
  afterUse(async () => {
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
