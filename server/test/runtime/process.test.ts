/** The server as an operator sees it: started as a process, configured by its environment, stopped by signals. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { addJob } from '../../src/jobs/jobs.ts'
import { openJobLease } from '../../src/jobs/lease.ts'
import { newId } from '../../src/lib/ids.ts'
import { createTestDatabase } from '../testing/database.ts'
import { startSilentServer } from '../testing/peers/silent-server.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'

let dataDir: string
let children: ChildProcess[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'waybill-process-'))
  chmodSync(dataDir, 0o711)
  children = []
})

afterEach(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGINT')
      await once(child, 'exit')
    }
  }
  rmSync(dataDir, { recursive: true })
})

function startServer(environment: Record<string, string>): ServerProcess {
  const server = startServerProcess({ DATA_DIR: dataDir, ...environment })
  children.push(server.child)
  return server
}

const developmentVariables = { DEMO: 'off', SMTP_URL: 'smtp://127.0.0.1:1' }

describe('refuses to start with code 1 and one line for each reason', () => {
  test('if values are invalid', async () => {
    const server = startServer({ PORT: 'many', DATABASE_URL: 'nonsense' })
    expect(await server.ended).toBe(1)
    const lines = server.output().trim().split('\n')
    expect(lines.map((line) => line.split(':', 1)[0])).toEqual(['PORT', 'DATABASE_URL'])
  })

  test('in production without any configuration', async () => {
    const server = startServer({ NODE_ENV: 'production', DEMO: 'on' })
    expect(await server.ended).toBe(1)
    const names = server.output().match(/^[A-Z0-9_]+(?=: )/gm)
    expect(names).toEqual(
      expect.arrayContaining([
        'DATABASE_URL',
        'SECRET_KEY',
        'SMTP_URL',
        'IPAY88_MERCHANT_CODE',
        'IPAY88_MERCHANT_KEY',
        'PUBLIC_URL',
        'TRUST_PROXY',
        'DEMO',
      ]),
    )
    expect(server.output()).not.toContain('    at ')
  })

  test('in production on the database of a demo', async () => {
    const { db, url } = await createTestDatabase()
    await db
      .insertInto('users')
      .values({
        id: newId(),
        email: 'superadmin@waybill.example',
        name: 'Demo',
        kind: 'staff',
        staff_type: 'superadmin',
      })
      .execute()
    const server = startServer({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://portal.courier.example',
      DATABASE_URL: url,
      SECRET_KEY: randomBytes(48).toString('base64url'),
      SMTP_URL: 'smtps://user:secret@mail.courier.example',
      IPAY88_MERCHANT_CODE: 'M12345',
      IPAY88_MERCHANT_KEY: 'not the published one',
      TRUST_PROXY: 'off',
    })
    expect(await server.ended).toBe(1)
    expect(server.output().trim()).toBe(
      "DATABASE_URL: holds the demo's data (the login superadmin@waybill.example); " +
        'production needs a database of its own.',
    )
  })

  test('if the database is unavailable', async () => {
    const server = startServer({
      ...developmentVariables,
      DATABASE_URL: 'postgres://waybill:secret@127.0.0.1:1/waybill',
    })
    expect(await server.ended).toBe(1)
    expect(server.output().trim()).toBe('DATABASE_URL: cannot connect to 127.0.0.1:1/waybill: nothing listens there.')
  })

  test('if the Unix socket does not exist', async () => {
    const server = startServer({
      ...developmentVariables,
      DATABASE_URL: 'postgres://waybill:secret@localhost/waybill?host=/nowhere',
    })
    expect(await server.ended).toBe(1)
    expect(server.output().trim()).toBe('DATABASE_URL: cannot connect to /nowhere/waybill: there is no such socket.')
  })

  test('if it cannot write its data folder, before it migrates the database', async () => {
    const { url } = await createTestDatabase()
    const below = join(import.meta.filename, 'below')
    const secret = { SECRET_KEY: randomBytes(48).toString('base64url') }
    const server = startServer({ ...developmentVariables, ...secret, DATABASE_URL: url, DATA_DIR: below })
    expect(await server.ended).toBe(1)
    expect(server.output().trim()).toBe(`DATA_DIR: ${below} cannot be written (ENOTDIR).`)
  })

  test.each(['PORT', 'METRICS_PORT'])('if its %s is in use, before it starts PostgreSQL', async (name) => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    try {
      const server = startServer({ ...developmentVariables, PORT: '0', [name]: String(port) })
      expect(await server.ended).toBe(1)
      const reason = `${port} on 127.0.0.1 is taken by another program; end that, or set another ${name}.`
      expect(server.output().trim()).toBe(`${name}: ${reason}`)
    } finally {
      blocker.close()
    }
  })
})

describe('a stop signal', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s: ends the process with code 0 and stops its PostgreSQL',
    async (signal) => {
      const server = startServer(developmentVariables)
      const address = await server.ready()
      expect((await fetch(`${address}/readyz`)).status).toBe(200)
      server.child.kill(signal)
      server.child.kill(signal) // A terminal and npm both send it.
      expect(await server.ended).toBe(0)
      expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
    },
  )

  test('ends the process while it is still starting', async () => {
    const server = startServer(developmentVariables)
    await expect
      .poll(() => existsSync(join(dataDir, 'postgres', 'cluster.new')), { timeout: 25_000, interval: 5 })
      .toBe(true)
    server.child.kill('SIGINT')
    expect(await server.ended).toBe(0)
    expect(server.output()).not.toContain('ready')
    expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
  })

  test('lets the server complete a running request, but accepts no new one', async () => {
    const { url } = await createTestDatabase()
    const server = startServer({ ...developmentVariables, DATABASE_URL: url })
    const address = await server.ready()
    const slow = request(`${address}/no/such/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 2 },
    })
    slow.write('{')
    await once(slow, 'socket').then(([socket]) => socket.connecting && once(socket, 'connect'))
    // A response on a later connection shows that the server has read the head of the first request.
    await fetch(`${address}/healthz`)
    server.child.kill('SIGTERM')
    await expect
      .poll(
        () =>
          fetch(`${address}/healthz`).then(
            () => 'answers',
            () => 'refuses',
          ),
        { timeout: 5_000 },
      )
      .toBe('refuses')
    const answered = once(slow, 'response')
    slow.end('}')
    const [response] = await answered
    expect(response.statusCode).toBe(404)
    response.resume()
    expect(await server.ended).toBe(0)
  })

  test('refuses requests at once while a job runs, and waits for the job', async () => {
    const { url, db } = await createTestDatabase()
    const silent = await startSilentServer()
    onTestFinished(() => silent.stop())
    const server = startServer({
      ...developmentVariables,
      DATABASE_URL: url,
      SMTP_URL: `smtp://127.0.0.1:${silent.port}`,
      LOG_LEVEL: 'silent',
    })
    const address = await server.ready()
    const vars = { name: 'Mei', code: '012345', minutes: 15 }
    await addJob(db, 'mail:send', { to: 'mei@example.test', template: 'register_code', locale: 'en', vars })
    await expect.poll(() => silent.open(), { timeout: 10_000 }).toBe(1)
    server.child.kill('SIGTERM')
    const answers = () =>
      fetch(`${address}/healthz`).then(
        ({ ok }) => ok,
        () => null,
      )
    await expect.poll(answers, { timeout: 8_000 }).toBe(null)
    expect([silent.open(), server.child.exitCode]).toEqual([1, null])
    await silent.stop()
    expect(await server.ended).toBe(0)
    const { rows } = await sql`select attempts, locked_by, last_error from graphile_worker.jobs`.execute(db)
    expect(rows).toEqual([{ attempts: 1, locked_by: null, last_error: expect.any(String) }])
  })

  test('does not wait for ever for a job, which another process can run again', async () => {
    const { url, db } = await createTestDatabase()
    const server = startServer({ ...developmentVariables, DATABASE_URL: url, LOG_LEVEL: 'silent' })
    await server.ready()
    await sql`create or replace function tracking_events_ensure_month(in_month date) returns void language sql
      as 'select pg_sleep(50)'`.execute(db)
    await addJob(db, 'parcels:ensure-partitions', {})
    const sleeping = sql<{ pid: number }>`
      select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
    await expect.poll(async () => (await sleeping.execute(db)).rows.length, { timeout: 10_000 }).toBe(1)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    const lease = await openJobLease(url, () => undefined)
    expect(await lease.unlockAbandoned()).toBe(1)
    await lease.stop()
    for (const { pid } of (await sleeping.execute(db)).rows) await sql`select pg_terminate_backend(${pid})`.execute(db)
  }, 60_000)
})

test('a server whose terminal is gone continues, survives the loss of its database and stops in order', async () => {
  const server = startServer(developmentVariables)
  const address = await server.ready()
  server.child.stdout?.destroy()
  server.child.stderr?.destroy()
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  const readPid = () => (existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null)
  const pid = readPid()
  process.kill(Number(pid), 'SIGKILL')
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ status }) => status,
      () => 0,
    )
  // The database may be back before the first request is answered, so its process shows that it was gone.
  await expect.poll(readPid, { timeout: 20_000 }).not.toBe(pid)
  await expect.poll(isReady, { timeout: 20_000 }).toBe(200)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('two servers on one data folder share its database', async () => {
  const first = startServer(developmentVariables)
  await first.ready()
  const second = startServer(developmentVariables)
  const address = await second.ready()
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
})

test('neither the log nor the metrics contain tokens of public links', async () => {
  const { url } = await createTestDatabase()
  const server = startServer({ ...developmentVariables, DATABASE_URL: url, METRICS_PORT: '0', LOG_LEVEL: 'trace' })
  const address = await server.ready()
  const token = randomBytes(32).toString('base64url')
  const paths = ['address', 'delivery', 'following'].flatMap((name) => [
    `/public/${name}/${token}`,
    `/api/public/${name}/${token}`,
    `/api/public/${name}/${token}/end?of=${token}`,
    `/api/public/${name}/%${token}`,
  ])
  for (const path of paths)
    for (const method of ['GET', 'POST'])
      await fetch(`${address}${path}`, { method, redirect: 'manual', headers: { accept: 'text/html' } })
  await fetch(`${address}/api/public/none/logged-last`)
  await expect.poll(() => server.output()).toContain('"path":"/api/public/none/***"')
  expect(server.output()).toContain('"path":"/public/address/***"')
  const metrics = await fetch(`${/Metrics are at (\S+)/.exec(server.output())?.[1]}`)
  expect([server.output().includes(token), (await metrics.text()).includes(token)]).toEqual([false, false])
})

test('a worker responds on the port for operators only', async () => {
  const { url } = await createTestDatabase()
  const server = startServer({ ...developmentVariables, DATABASE_URL: url, ROLE: 'worker', METRICS_PORT: '0' })
  const address = () => /Metrics are at (\S+)\/metrics/.exec(server.output())?.[1]
  await expect.poll(() => address() ?? server.child.exitCode, { timeout: 25_000 }).not.toBe(null)
  const [metrics, ready] = await Promise.all([fetch(`${address()}/metrics`), fetch(`${address()}/readyz`)])
  expect([metrics.status, ready.status]).toEqual([200, 200])
  expect(await metrics.text()).toContain('waybill_queue_jobs')
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
