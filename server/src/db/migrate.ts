/** Brings a database to the newest schema: first the numbered SQL files of `migrations/`, then the job queue's own. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Logger, runMigrations } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { DbOrTx } from './pool.ts'

/** The folder with 0001_name.sql, 0002_name.sql and so on. */
const migrationsFolder = join(import.meta.dirname, 'migrations')

/** An arbitrary number that no other advisory lock uses. */
const lockKey = 7_294_629
const lockLimitMs = 120_000

export type MigrateOptions = {
  log?: (line: string) => void
  /** A different folder of files; for tests. */
  dir?: string
  /** How long a file or statement tries to get its locks; for tests. */
  patienceMs?: number
}

/**
 * While a statement waits for its lock, every later one on the table waits behind it. So it gives up after a second,
 * lets the others pass, and tries again.
 */
const lockTimeout = '1s'
const lockPauseMs = 2_000
const defaultPatienceMs = 600_000
const lockNotAvailableCode = '55P03'

/** The queue's log of its migrations does not help an operator; its errors are thrown. */
const silentLogger = new Logger(() => () => undefined)

type Migration = {
  name: string
  sha256: string
  sql: string
  /** The hashes of earlier texts with the same result. */
  replaces: readonly string[]
}

/**
 * Applies every missing file, each in a transaction. Several processes may call this at once: one migrates, the others
 * wait.
 *
 * A file that begins with the line `-- no transaction` runs statement by statement: for CREATE INDEX CONCURRENTLY, and
 * for blocks that commit every batch. Its statements end with a semicolon at the end of a line outside `$$`, and must
 * be repeatable: a failure halfway leaves the first ones applied. `-- replaces <SHA-256>` names an earlier text of the
 * file with the same result, so that databases that applied that one are accepted.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const files = readMigrations(options.dir ?? migrationsFolder)
  const client = new pg.Client({ connectionString: url, application_name: 'waybill migrate' })
  await client.connect()
  try {
    await lock(client)
    await client.query(
      `CREATE TABLE IF NOT EXISTS schema_migrations
        (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    )
    const applied = await client.query<{ name: string; sha256: string }>(
      'SELECT name, sha256 FROM schema_migrations ORDER BY name',
    )
    verify(files, applied.rows)
    const pending = files.slice(applied.rows.length)
    for (const file of pending) {
      await apply(client, file, options)
      options.log?.(`database: applied ${file.name}`)
    }
    // The queue's tables have their own schema, versioned by its package.
    await runMigrations({ connectionString: url, logger: silentLogger, noHandleSignals: true })
    return pending.map((file) => file.name)
  } finally {
    await client.end()
  }
}

/** When the first migration created this database. */
export async function readInstalledAt(db: DbOrTx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(applied_at) as at from schema_migrations`.execute(db)
  return rows[0]?.at ?? null
}

/**
 * The files of `dir` in order.
 * @throws Error naming the file if the numbers have a gap or a duplicate.
 */
export function readMigrations(dir: string = migrationsFolder): Migration[] {
  const names = readdirSync(dir)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((name, index) => {
    const expected = String(index + 1).padStart(4, '0')
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
      throw new Error(`Migration ${name}: the name must look like ${expected}_what_it_does.sql.`)
    if (!name.startsWith(`${expected}_`)) throw new Error(`Migration ${name}: number ${expected} was expected here.`)
    const text = readFileSync(join(dir, name), 'utf8')
    const replaces = [...text.matchAll(/^-- replaces ([0-9a-f]{64})$/gm)].map(([, hash = '']) => hash)
    return { name, sql: text, replaces, sha256: createHash('sha256').update(text).digest('hex') }
  })
}

function verify(files: Migration[], applied: { name: string; sha256: string }[]): void {
  for (const [index, row] of applied.entries()) {
    const file = files[index]
    if (!file) throw new Error(`Migration ${row.name} was applied to this database but is not part of this release.`)
    if (file.name !== row.name)
      throw new Error(`Migration ${file.name} was never applied to this database, but the later ${row.name} was.`)
    if (file.sha256 !== row.sha256 && !file.replaces.includes(row.sha256))
      throw new Error(`Migration ${file.name} was changed after it was applied: put it back, and write a new one.`)
  }
}

/** Runs `work`, which can be repeated, until it gets its locks. Throws if it did not get them for minutes. */
async function untilLocked(
  client: pg.Client,
  name: string,
  { patienceMs = defaultPatienceMs, log }: MigrateOptions,
  work: () => Promise<unknown>,
): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    await client.query(`SET lock_timeout = '${lockTimeout}'`)
    try {
      await work()
      return
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      if ((error as pg.DatabaseError).code !== lockNotAvailableCode) throw error
      const holders = await listTransactions(client)
      if (Date.now() > deadline)
        throw new Error(`no lock for ${Math.round(patienceMs / 60_000)} minutes; end ${holders}.`, { cause: error })
      log?.(`database: ${name} waits for a lock; open transactions: ${holders}`)
      await delay(lockPauseMs)
    }
  }
}

/** The oldest transactions of other connections. */
async function listTransactions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('process %s (%s, for %s s)', pid, coalesce(nullif(application_name, ''), backend_type),
        extract(epoch FROM clock_timestamp() - xact_start)::int) AS name
      FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
      ORDER BY xact_start LIMIT 3`,
  )
  return rows.map(({ name }) => name).join(', ') || 'none any more'
}

async function apply(client: pg.Client, file: Migration, options: MigrateOptions): Promise<void> {
  const record = () =>
    client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [file.name, file.sha256])
  try {
    if (/^-- no transaction\s*\n/.test(file.sql)) {
      for (const statement of splitStatements(file.sql)) {
        if (isConcurrent(statement)) await runConcurrently(client, statement)
        else await untilLocked(client, file.name, options, () => client.query(statement))
      }
      await record()
      return
    }
    await untilLocked(client, file.name, options, async () => {
      await client.query('BEGIN')
      await client.query(file.sql)
      await record()
      await client.query('COMMIT')
    })
  } catch (error) {
    const { message, position } = error as pg.DatabaseError
    const line = position ? ` (line ${file.sql.slice(0, Number(position)).split('\n').length})` : ''
    throw new Error(`Migration ${file.name}${line}: ${message}`, { cause: error })
  }
}

const isConcurrent = (statement: string) =>
  /^\s*(create|drop|reindex)\b.*\bconcurrently\b/is.test(statement.replace(/^\s*--.*$/gm, ''))

/** Such a statement waits for open transactions, but no other statement waits behind it. */
async function runConcurrently(client: pg.Client, statement: string): Promise<void> {
  await client.query('SET lock_timeout = 0')
  await client.query(statement)
}

/** The statements of a file, without comments between them. The body of a block or function may have semicolons. */
function splitStatements(fileText: string): string[] {
  const isOpen = (text: string) => text.split('$$').length % 2 === 0
  const hasSql = (text: string) => text.split('\n').some((line) => line.trim() !== '' && !line.trim().startsWith('--'))
  return fileText
    .split(/(?<=;)[ \t]*\n/)
    .reduce<string[]>((statements, part) => {
      const last = statements.at(-1)
      if (last !== undefined && isOpen(last)) statements[statements.length - 1] = `${last}\n${part}`
      else statements.push(part)
      return statements
    }, [])
    .filter(hasSql)
}

/**
 * Polls instead of waiting inside PostgreSQL. A waiting statement holds a snapshot, and CREATE INDEX CONCURRENTLY of
 * the process with the lock would wait for that.
 */
async function lock(client: pg.Client): Promise<void> {
  const deadline = Date.now() + lockLimitMs
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [lockKey])
    if (rows[0]?.locked) return
    if (Date.now() > deadline) throw new Error('Another process has been migrating this database for two minutes.')
    await delay(100)
  }
}
