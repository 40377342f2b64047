/** R9: a backup made while the server runs restores everything in another place, with correct books. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { secretKeyPrint } from '../../src/backup/manifest.ts'
import { chooseTools, findTools, runTool } from '../../src/backup/postgres-tools.ts'
import { loadConfig } from '../../src/config.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createDb, createPool, type Db } from '../../src/db/pool.ts'
import { seedNetwork } from '../../src/demo/network/network.ts'
import { seedDemo } from '../../src/demo/play.ts'
import { createTestDatabase } from '../testing/database.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'waybill-backup-'))
  chmodSync(base, 0o711)
  bases.push(base)
})
const bases: string[] = []
afterAll(() => {
  // PostgreSQL still runs in some of these folders when a test's own afterEach is called.
  for (const folder of bases) rmSync(folder, { recursive: true, force: true })
})

type Ended = { code: number; said: string; folder: string }

/** The command as an operator runs it. */
function command(
  name: 'backup' | 'restore',
  dataDir: string,
  ...rest: (string | Record<string, string>)[]
): Promise<Ended> {
  const script = join(import.meta.dirname, `../../src/backup/${name}-command.ts`)
  const args = rest.filter((each) => typeof each === 'string')
  const variables = rest.filter((each) => typeof each !== 'string')
  const env = Object.assign({ PATH: process.env.PATH, DATA_DIR: dataDir, NODE_ENV: 'development' }, ...variables)
  return new Promise((done) =>
    execFile(process.execPath, [script, ...args], { env }, (error, out, errors) =>
      done({ code: error ? Number(error.code ?? 1) : 0, said: errors, folder: out.trim() }),
    ),
  )
}

const folderFor = (name: string) => {
  const folder = join(base, name)
  mkdirSync(folder, { mode: 0o711 })
  return folder
}

async function open(dataDir: string): Promise<{ postgres: EmbeddedPostgres; db: Db; close: () => Promise<void> }> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const pool = createPool(postgres.url, { max: 4 })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= pool.end().then(() => postgres.stop())
    return closed
  }
  onTestFinished(close)
  return { postgres, db: createDb(pool), close }
}

/** The rows of every table that survives a crash, and the position of every sequence. */
async function countRows(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; count: number }>`
    select format('%I.%I', schemaname, tablename) as name,
      (xpath('/row/n/text()', query_to_xml(
        format('select count(*) as n from %I.%I', schemaname, tablename), false, true, '')))[1]::text::int as count
    from pg_tables
    where schemaname in ('public', 'graphile_worker')
      and (
        select relpersistence
        from pg_class
        where oid = format('%I.%I', schemaname, tablename)::regclass
      ) = 'p'
    union all
    select format('%I.%I', schemaname, sequencename), coalesce(last_value, 0)::int from pg_sequences`.execute(db)
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

test('backs up and restores the embedded database with files and secret key while the server runs', async () => {
  const from = folderFor('from')
  const config = loadConfig({ NODE_ENV: 'development', DATA_DIR: from, LOG_LEVEL: 'silent' }, [])
  const live = await open(from)
  await migrate(live.postgres.url)
  const pool = createPool(live.postgres.url, { max: 4 })
  const app = await buildApp({
    config,
    pool,
    db: live.db,
    databaseUrl: live.postgres.url,
    smtpUrl: 'smtp://127.0.0.1:9',
  })
  onTestFinished(async () => {
    await app.close()
    await pool.end()
  })
  await seedNetwork(live.db)
  await seedDemo(app.deps)
  await app.deps.outbox.drain()
  await app.deps.files.write('attachments/one.pdf', Buffer.from('the contents of one'))
  const before = await countRows(live.db)
  expect(before['public.parcels']).toBeGreaterThan(100)
  expect(before['public.journal_entries']).toBeGreaterThan(100)

  const fileCount = readdirSync(join(from, 'files'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length
  expect(fileCount).toBeGreaterThan(0)

  const backup = await command('backup', from, folderFor('backups'))
  expect(backup).toMatchObject({ code: 0, said: expect.stringContaining(`${fileCount} files`) })
  // Later writes are not in the backup.
  await sql`delete from activity_log`.execute(live.db)
  expect(readdirSync(backup.folder).sort()).toEqual([
    'backup.json',
    'cluster.tar.gz',
    'files',
    'postgres-password',
    'secret-key',
  ])
  for (const name of ['cluster.tar.gz', 'postgres-password', 'secret-key'])
    expect(statSync(join(backup.folder, name)).mode & 0o077).toBe(0)

  const to = join(base, 'to')
  const restored = await command('restore', to, backup.folder)
  expect(restored).toMatchObject({ code: 0, said: expect.stringMatching(/Its books hold: \d{3,} entries/) })
  const copy = await open(to)
  expect(await countRows(copy.db)).toEqual(before)
  expect(readFileSync(join(to, 'secret-key'), 'utf8')).toBe(readFileSync(join(from, 'secret-key'), 'utf8'))
  expect(readFileSync(join(to, 'files/attachments/one.pdf'), 'utf8')).toBe('the contents of one')
  await copy.close()

  // Existing data is replaced only if the option is given, and then it is kept aside.
  const refused = await command('restore', to, backup.folder)
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('already exists') })
  const replaced = await command('restore', to, backup.folder, '--replace')
  expect(replaced.code, replaced.said).toBe(0)
  const again = await open(to)
  expect(await countRows(again.db)).toEqual(before)
  expect(readdirSync(again.postgres.folder).filter((name) => name.startsWith('cluster.before-restore'))).toHaveLength(1)
  const running = await command('restore', to, backup.folder, '--replace')
  expect(running).toMatchObject({ code: 1, said: expect.stringContaining('The server is running') })
}, 120_000)

test('refuses a folder without a backup, another secret key and a newer release before any change', async () => {
  const folder = folderFor('backup')
  const to = folderFor('to')
  const manifest = {
    kind: 'base',
    createdAt: '',
    postgresMajor: 18,
    schema: '0001_foundation.sql',
    secretKeyPrint: 'x',
  }
  const write = (over: object) => writeFileSync(join(folder, 'backup.json'), JSON.stringify({ ...manifest, ...over }))
  const refusal = async () => {
    const { code, said: errors } = await command('restore', to, folder)
    expect(code).toBe(1)
    expect(readdirSync(to).filter((name) => name !== 'secret-key')).toEqual([])
    return errors
  }
  expect(await refusal()).toContain('is not a backup')
  write({ schema: '9999_later.sql' })
  expect(await refusal()).toContain('of a newer release')
  write({})
  expect(await refusal()).toContain('SECRET_KEY is not the one')
})

test('reports an empty deployment as having nothing to back up, and leaves no partial backup', async () => {
  const backups = folderFor('backups')
  const { code, said: errors } = await command('backup', folderFor('empty'), backups)
  expect({ code, said: errors }).toMatchObject({ code: 1, said: expect.stringContaining('There is no database in') })
  expect(readdirSync(backups)).toEqual([])
})

test('refuses to restore into a folder that it cannot write, before any change', async () => {
  const folder = folderFor('backup')
  const secretKey = 'a secret key of a test, long enough'
  const manifest = { kind: 'dump', createdAt: '', postgresMajor: 18, schema: '0001_foundation.sql' }
  const print = secretKeyPrint(secretKey)
  writeFileSync(join(folder, 'backup.json'), JSON.stringify({ ...manifest, secretKeyPrint: print }))
  const { code, said: errors } = await command('restore', join(import.meta.filename, 'below'), folder, {
    SECRET_KEY: secretKey,
    DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/nothing',
  })
  expect({ code, said: errors }).toMatchObject({
    code: 1,
    said: expect.stringMatching(/DATA_DIR: .*cannot be written/),
  })
})

test('the document names every counter to raise after a restore', async () => {
  const { db } = await createTestDatabase()
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))`.execute(db)
  const text = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
  const statements = /```sql\n([^`]*setval[^`]*)```/.exec(text)?.[1] ?? ''
  expect([...statements.matchAll(/'(\w+)'/g)].map(([, name]) => name).sort()).toEqual(
    rows.map(({ name }) => name).sort(),
  )
  // Numbers that are counted in a column: of documents by year, and of the deliveries of a webhook.
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name in ('last', 'last_sequence')`.execute(db)
  expect([...statements.matchAll(/update (\w+) set/g)].map(([, name]) => name).sort()).toEqual(
    tables.map(({ name }) => name).sort(),
  )
  for (const statement of statements.split(';').filter((part) => part.trim() !== ''))
    await sql.raw(statement).execute(db)
})

describe('the installed pg_dump, for a database that is not embedded', () => {
  const tools = [
    { folder: '/a', major: 15 },
    { folder: '/b', major: 19 },
    { folder: '/c', major: 18 },
  ]
  test('is the closest version that the server accepts', () => {
    expect(chooseTools(tools, 18).folder).toBe('/c')
    expect(chooseTools(tools, 16).folder).toBe('/c')
    expect(chooseTools(tools, 19).folder).toBe('/b')
  })

  test('is requested in one sentence if none is installed', () => {
    expect(() => chooseTools(tools, 20)).toThrow(
      /PostgreSQL 20; .*found: 15 in \/a.*postgresql-client-20, or set PG_BIN/,
    )
    expect(() => chooseTools([], 18)).toThrow(/found: none/)
  })

  test('verifies the server with the certificates of the machine, unless others are configured', async () => {
    const folder = folderFor('bin')
    const home = folderFor('home')
    writeFileSync(join(folder, 'pg_dump'), '#!/bin/sh\necho "trusts <$PGSSLROOTCERT>" >&2; exit 1\n', { mode: 0o755 })
    vi.stubEnv('HOME', home).stubEnv('PGSSLROOTCERT', '')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const trusted = async (search: string, major = 18) => {
      const url = `postgres://waybill:secret@db.internal/waybill?${search}`
      const { message } = await runTool({ folder, major }, 'pg_dump', url, []).then(
        () => expect.unreachable(),
        (error) => error,
      )
      return /<(.*)>/.exec(message)?.[1]
    }
    expect(await trusted('sslmode=verify-full')).toBe('system')
    expect(await trusted('sslmode=require')).toBe('')
    expect(await trusted('sslmode=verify-full', 15)).toBe('')
    expect(await trusted('sslmode=verify-full&sslrootcert=/etc/own.pem')).toBe('')
    mkdirSync(join(home, '.postgresql'))
    writeFileSync(join(home, '.postgresql/root.crt'), '')
    expect(await trusted('sslmode=verify-full')).toBe('')
    vi.stubEnv('PGSSLROOTCERT', '/etc/own.pem')
    expect(await trusted('sslmode=verify-full')).toBe('/etc/own.pem')
  })

  test('is searched for in PG_BIN only, if that is set', () => {
    const folder = folderFor('bin')
    for (const name of ['pg_dump', 'pg_restore'])
      writeFileSync(join(folder, name), '#!/bin/sh\necho "pg_dump (PostgreSQL) 18.4"\n', { mode: 0o755 })
    expect(findTools({ PG_BIN: folder, PATH: '/usr/bin' })).toEqual([{ folder, major: 18 }])
  })
})
