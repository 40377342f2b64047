/**
 * Fills tables with millions of rows in minutes: without indexes, foreign keys and durability, over two connections.
 * Afterwards it restores the schema.
 */
import type { Pool } from 'pg'
import { createPool } from '../server/src/db/pool.ts'
import type { BenchDatabase } from './database.ts'

/** One session. */
export type Connection = (sql: string, values?: unknown[]) => Promise<unknown>

type Work = (connection: Connection) => Promise<unknown>

const workers = 2

/** Durability does not matter: the cluster exists only for this benchmark. */
const careless = [
  'fsync = off',
  'full_page_writes = off',
  'synchronous_commit = off',
  "max_wal_size = '16GB'",
  'autovacuum = off',
]

const session = ['session_replication_role=replica', 'work_mem=256MB', 'maintenance_work_mem=1GB', 'temp_buffers=128MB']

/**
 * Runs the pieces of work that insert rows into `tables`, then rebuilds their indexes and gathers statistics.
 * Statement triggers fire, so that the data they maintain exists. Row triggers and foreign keys do not.
 */
export async function filledInBulk(
  database: BenchDatabase,
  tables: readonly string[],
  works: readonly Work[],
  say: (line: string) => void,
): Promise<void> {
  const { query } = database
  for (const setting of careless) await query(`alter system set ${setting}`)
  await query('select pg_reload_conf()')
  // Foreign keys first: PostgreSQL cannot drop a key that another table references.
  const foreignKeys = await withoutForeignKeys(database, tables)
  const indexes = await withoutIndexes(database, tables)
  const quiet = await withStatementTriggers(database, tables)
  // The embedded database's URL already has a query: the folder of its socket.
  const url = new URL(database.url)
  url.searchParams.set('options', session.map((setting) => `-c ${setting}`).join(' '))
  const pool = createPool(url.href, { max: workers, name: 'waybill bench fill', unlimited: true })
  try {
    await runAll(pool, works)
    for (const sql of quiet) await query(sql)
    // Only rebuilt keys can be referenced again.
    for (const rebuild of [indexes, foreignKeys]) {
      await runAll(
        pool,
        rebuild.map((sql) => (connection) => timed(sql, connection, say)),
      )
    }
    say('  indexes')
    await runAll(
      pool,
      tables.map((table) => (connection) => connection(`vacuum (analyze) ${table}`)),
    )
  } finally {
    await pool.end()
  }
  await query('alter system reset autovacuum')
  await query('select pg_reload_conf()')
  await query('checkpoint')
}

async function timed(sql: string, connection: Connection, say: (line: string) => void): Promise<void> {
  const begin = performance.now()
  await connection(sql)
  const seconds = (performance.now() - begin) / 1000
  if (seconds > 10) say(`  ${seconds.toFixed(0)} s: ${sql.slice(0, 100)}`)
}

/** Runs each piece on the next free connection. */
async function runAll(pool: Pool, works: readonly Work[]): Promise<void> {
  const waiting = [...works]
  const run = async () => {
    const client = await pool.connect()
    try {
      for (let work = waiting.shift(); work; work = waiting.shift()) {
        await work(async (sql, values = []) => (await client.query(sql, values)).rows)
      }
    } finally {
      client.release()
    }
  }
  await Promise.all(Array.from({ length: workers }, run))
}

/**
 * Drops the foreign keys that reference the tables. Returns the statements that recreate them, which check every row.
 */
async function withoutForeignKeys({ query }: BenchDatabase, tables: readonly string[]): Promise<string[]> {
  const keys = await query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint
     where confrelid = any($1::regclass[]) and contype = 'f' and conparentid = 0`,
    [tables],
  )
  for (const { owner, name } of keys) await query(`alter table ${owner} drop constraint ${name}`)
  return keys.map(({ owner, name, definition }) => `alter table ${owner} add constraint ${name} ${definition}`)
}

/**
 * Drops all indexes of the tables, primary keys included. Returns the statements that recreate them, the slowest first.
 */
async function withoutIndexes({ query }: BenchDatabase, tables: readonly string[]): Promise<string[]> {
  const keys = await query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint
     where conrelid = any($1::regclass[]) and contype in ('p', 'u')`,
    [tables],
  )
  for (const { owner, name } of keys) await query(`alter table ${owner} drop constraint ${name}`)
  const indexes = await query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition
      from pg_index where indrelid = any($1::regclass[])
     order by pg_get_indexdef(indexrelid) like '%USING gin%' desc, indrelid`,
    [tables],
  )
  for (const { name } of indexes) await query(`drop index ${name}`)
  return [
    // These come first, one after the other, because they lock the whole table.
    ...keys.map(({ owner, name, definition }) => `alter table ${owner} add constraint ${name} ${definition}`),
    ...indexes.map(({ definition }) => definition),
  ]
}

/**
 * Enables the statement triggers even though triggers are off. Returns the statements that restore their previous
 * state.
 */
async function withStatementTriggers({ query }: BenchDatabase, tables: readonly string[]): Promise<string[]> {
  const triggers = await query<{ owner: string; name: string }>(
    `select tgrelid::regclass::text as owner, quote_ident(tgname) as name from pg_trigger
     where tgrelid = any($1::regclass[]) and tgnewtable is not null and tgenabled = 'O' and not tgisinternal`,
    [tables],
  )
  for (const { owner, name } of triggers) await query(`alter table ${owner} enable always trigger ${name}`)
  return triggers.map(({ owner, name }) => `alter table ${owner} enable trigger ${name}`)
}
