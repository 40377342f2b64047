import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, relaunchPauses, startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { canEnter } from '../../src/db/postgres-place.ts'
import { isAlive } from '../../src/db/postgres-users.ts'

let dataDir: string
let lines: string[]
let open: EmbeddedPostgres[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'waybill-embedded-'))
  chmodSync(dataDir, 0o711)
  lines = []
  open = []
})

afterEach(async () => {
  for (const postgres of open) await postgres.stop()
  rmSync(dataDir, { recursive: true })
})

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: (line) => lines.push(line), settings: { fsync: 'off' } })
  open.push(postgres)
  return postgres
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const pidFile = () => join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
const postmasterPid = () => Number(readFileSync(pidFile(), 'utf8').split('\n', 1)[0])

/** A separate process that starts the database and waits to be killed. */
async function startInAnotherProcess(): Promise<{ kill: () => Promise<void> }> {
  const module = join(import.meta.dirname, '../../src/db/embedded.ts')
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)})
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => {}, settings: { fsync: 'off' } })
    console.log('up')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('creates a UTF-8 cluster with a password, keeps its data and leaves no process behind', async () => {
  const first = await start()
  expect(first.joined).toBe(false)
  expect(await query(first.url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
  expect(
    await query(first.url, "SELECT datlocprovider AS p, datlocale AS l FROM pg_database WHERE datname = 'waybill'"),
  ).toEqual([{ p: 'b', l: 'C.UTF-8' }])
  expect(statSync(join(first.folder, 'password')).mode & 0o777).toBe(0o600)
  await expect(query(first.url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password authentication')
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS n')
  const pid = postmasterPid()
  await first.stop()
  expect(existsSync(pidFile())).toBe(false)
  expect(isAlive(pid)).toBe(false)

  const second = await start()
  expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 42 }])
})

test('listens on its Unix socket, or on TCP if the path of the socket would be too long', async () => {
  const isLocal = async (url: string) => (await query(url, 'SELECT inet_server_addr() IS NULL AS local'))[0]
  const { url } = await start()
  expect(await isLocal(url)).toEqual({ local: true })
  const tcp = new URL(url)
  tcp.searchParams.delete('host')
  expect(await isLocal(tcp.href)).toEqual({ local: false })

  dataDir = join(dataDir, 'x'.repeat(100))
  expect(await isLocal((await start()).url)).toEqual({ local: false })
  dataDir = dirname(dataDir)
})

test('lets a second command join; the last one to leave stops it, even if another one started it', async () => {
  const first = await start()
  const second = await start()
  expect(second.joined).toBe(true)
  expect(second.url).toBe(first.url)
  await first.stop()
  expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await second.stop()
  expect(existsSync(pidFile())).toBe(false)
})

test('creates one cluster for commands that start together', async () => {
  const together = await Promise.all([start(), start(), start()])
  expect(new Set(together.map((postgres) => postgres.url)).size).toBe(1)
  expect(together.filter((postgres) => !postgres.joined)).toHaveLength(1)
})

describe('after kill -9', () => {
  test('of the process that started it: is joined while it runs, and stopped at the end', async () => {
    const other = await startInAnotherProcess()
    const pid = postmasterPid()
    await other.kill()
    const postgres = await start()
    expect(postgres.joined).toBe(true)
    expect(postmasterPid()).toBe(pid)
    expect(lines).toEqual([expect.stringContaining('still running')])
    await postgres.stop()
    expect(isAlive(pid)).toBe(false)
  })

  test('of both: restarts with everything that was committed', async () => {
    const other = await startInAnotherProcess()
    const first = await start()
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS n')
    const pid = postmasterPid()
    await other.kill()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    await first.stop()
    const second = await start()
    expect(second.joined).toBe(false)
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 42 }])
  })

  test('of PostgreSQL alone: comes back on the same address', async () => {
    const postgres = await start()
    await query(postgres.url, 'CREATE TABLE kept AS SELECT 42 AS n')
    process.kill(postmasterPid(), 'SIGKILL')
    await expect
      .poll(() => query(postgres.url, 'SELECT n FROM kept').catch(() => []), { timeout: 20_000 })
      .toEqual([{ n: 42 }])
    expect(lines).toContain('PostgreSQL is back')
  })

  test('of PostgreSQL that was adopted from a killed process: comes back on the same address', async () => {
    const other = await startInAnotherProcess()
    await other.kill()
    const postgres = await start()
    expect(postgres.joined).toBe(true)
    await query(postgres.url, 'CREATE TABLE kept AS SELECT 42 AS n')
    process.kill(postmasterPid(), 'SIGKILL')
    await expect
      .poll(() => query(postgres.url, 'SELECT n FROM kept').catch(() => []), { timeout: 20_000 })
      .toEqual([{ n: 42 }])
  })

  test('of PostgreSQL that two processes watch: one restarts it, both continue', async () => {
    const first = await start()
    const second = await start()
    process.kill(postmasterPid(), 'SIGKILL')
    await expect.poll(() => lines.filter((line) => line === 'PostgreSQL is back').length, { timeout: 20_000 }).toBe(2)
    await first.stop()
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('of PostgreSQL while it cannot start: comes back once the cause is removed', async () => {
    const postgres = await start()
    process.kill(postmasterPid(), 'SIGKILL')
    const squatter = createServer()
    await expect
      .poll(
        () => new Promise((done) => squatter.once('error', done).listen(postgres.port, '127.0.0.1', () => done('ok'))),
        { timeout: 10_000, interval: 10 },
      )
      .toBe('ok')
    await expect.poll(() => lines.join('\n'), { timeout: 20_000 }).toMatch(/does not come back yet/)
    squatter.close()
    await expect
      .poll(() => query(postgres.url, 'SELECT 1 AS one').catch(() => []), { timeout: 20_000 })
      .toEqual([{ one: 1 }])
  })

  test('and reuse of its process id by another program: starts', async () => {
    await (await start()).stop()
    writeFileSync(pidFile(), `${process.pid}\n${dataDir}\n1700000000\n5432\n\n127.0.0.1\n  1 1\nready   \n`)
    const postgres = await start()
    expect(postgres.joined).toBe(false)
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('during the creation of the cluster: starts', async () => {
    mkdirSync(join(dataDir, 'postgres', 'cluster.new', 'base'), { recursive: true })
    chmodSync(join(dataDir, 'postgres'), 0o711)
    const postgres = await start()
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

describe('reports in one sentence', () => {
  test('that the data folder cannot be created', async () => {
    const starting = startEmbeddedPostgres({ dataDir: join(import.meta.filename, 'below'), log: () => {} })
    await expect(starting).rejects.toThrow(/^The data folder .* cannot be written \(ENOTDIR\): set DATA_DIR .*\.$/)
  })

  test('that another release created the cluster', async () => {
    await (await start()).stop()
    writeFileSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '15\n')
    await expect(start()).rejects.toThrow(/made by PostgreSQL 15 and this release brings 18/)
  })

  test('the error of PostgreSQL itself', async () => {
    await (await start()).stop()
    const starting = startEmbeddedPostgres({ dataDir, log: () => {}, settings: { shared_buffers: 'a lot' } })
    await expect(starting).rejects.toThrow(/^PostgreSQL could not start on .*shared_buffers/)
  })
})

test('tries to restart PostgreSQL without end, with pauses that grow to ten seconds', () => {
  const pauses = relaunchPauses()
  const thousand = Array.from({ length: 1_000 }, () => pauses.next())
  expect(thousand.every(({ done }) => done === false)).toBe(true)
  const values = thousand.map(({ value }) => value)
  expect(values).toEqual(values.toSorted((a, b) => a - b))
  expect(values.at(-1)).toBe(10_000)
})

test('checks every parent folder to find out whether an account may enter a folder', () => {
  const inside = join(dataDir, 'a', 'b')
  mkdirSync(inside, { recursive: true, mode: 0o755 })
  const stranger = { uid: 54_321, gid: 54_321 }
  expect(canEnter(inside, stranger)).toBe(true)
  chmodSync(join(dataDir, 'a'), 0o700)
  expect(canEnter(inside, stranger)).toBe(false)
  expect(canEnter(inside, { uid: process.getuid?.() ?? 0, gid: 54_321 })).toBe(true)
})
