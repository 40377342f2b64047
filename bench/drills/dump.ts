/**
 * Backup and restore of a database that is not embedded, by the machine's own pg_dump. The demo runs on one database
 * of a server, and its backup is restored into another. Then the rows of all tables are compared and the books
 * verified. The user must be allowed to create databases.
 *
 * node bench/drills/dump.ts postgres://user:password@host:5432/postgres
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { buildApp } from '../../server/src/app.ts'
import { loadConfig } from '../../server/src/config.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { createDb, createPool } from '../../server/src/db/pool.ts'
import { seedNetwork } from '../../server/src/demo/network/network.ts'
import { seedDemo } from '../../server/src/demo/play.ts'
import { withDatabase } from '../../server/test/testing/temporary-postgres.ts'

const adminUrl = process.argv[2] ?? ''
const server = join(import.meta.dirname, '../../server/src')
const secret = 'a secret of the drill that is long enough'

async function rows<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const result = await client.query<R>(text).finally(() => client.end())
  return result.rows
}

async function countRows(url: string): Promise<string> {
  const tables = await rows<{ name: string }>(
    url,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'graphile_worker') order by 1`,
  )
  const counts: string[] = []
  for (const { name } of tables) {
    const [row] = await rows<{ count: number }>(url, `select count(*)::int as count from ${name}`)
    counts.push(`${name} ${row?.count}`)
  }
  return counts.join('\n')
}

const folder = mkdtempSync(join(tmpdir(), 'waybill-dump-'))
const names = [`waybill_drill_from_${process.pid}`, `waybill_drill_to_${process.pid}`] as const
const [from, to] = names.map((name) => withDatabase(adminUrl, name)) as [string, string]
const environment = (url: string, dataDir: string) => ({
  ...process.env,
  DATABASE_URL: url,
  DATA_DIR: join(folder, dataDir),
  SECRET_KEY: secret,
})

for (const name of names) await rows(adminUrl, `create database ${name}`)
try {
  await migrate(from)
  const pool = createPool(from, { max: 4, name: 'waybill drill' })
  const config = loadConfig({ NODE_ENV: 'test', DEMO: 'on', SECRET_KEY: secret, DATA_DIR: join(folder, 'from') }, [])
  const app = await buildApp({ config, pool, db: createDb(pool), databaseUrl: from, smtpUrl: 'smtp://127.0.0.1:9' })
  await seedNetwork(app.deps.db)
  await seedDemo(app.deps)
  await app.deps.outbox.drain()
  await app.close()
  await pool.end()

  const backup = execFileSync(process.execPath, [join(server, 'backup/backup-command.ts'), join(folder, 'backups')], {
    env: environment(from, 'from'),
    encoding: 'utf8',
  }).trim()
  const restored = spawnSync(process.execPath, [join(server, 'backup/restore-command.ts'), backup], {
    env: environment(to, 'to'),
    stdio: 'inherit',
  })
  const same = (await countRows(from)) === (await countRows(to))
  console.log(same ? 'The rows of all tables are there.' : 'ROWS ARE MISSING.')
  const holds = restored.status === 0 && same
  console.log(holds ? 'Dump and restore hold.' : 'DUMP AND RESTORE DO NOT HOLD.')
  process.exitCode = holds ? 0 : 1
} finally {
  for (const name of names) await rows(adminUrl, `drop database ${name} with (force)`)
  rmSync(folder, { recursive: true, force: true })
}
