/** The server as an operator sees it: started as a process, configured by its environment, stopped by signals. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { createTestDatabase } from '../testing/database.ts'
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

const DEVELOPMENT = { DEMO: 'off', SMTP_URL: 'smtp://127.0.0.1:1' }

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
    })
    expect(await server.ended).toBe(1)
    expect(server.output().trim()).toBe(
      "DATABASE_URL: holds the demo's data (the login superadmin@waybill.example); " +
        'production needs a database of its own.',
    )
  })

  test('if the database is unavailable', async () => {
    const server = startServer({ ...DEVELOPMENT, DATABASE_URL: 'postgres://waybill:secret@127.0.0.1:1/waybill' })
    expect(await server.ended).toBe(1)
    expect(server.output().trim()).toBe('DATABASE_URL: cannot connect to 127.0.0.1:1/waybill: nothing listens there.')
  })

  test('if the Unix socket does not exist', async () => {
    const server = startServer({
      ...DEVELOPMENT,
      DATABASE_URL: 'postgres://waybill:secret@localhost/waybill?host=/nowhere',
    })
    expect(await server.ended).toBe(1)
    expect(server.output().trim()).toBe('DATABASE_URL: cannot connect to /nowhere/waybill: there is no such socket.')
  })

  test('if its port is in use, and leaves no PostgreSQL behind', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    try {
      const server = startServer({ ...DEVELOPMENT, PORT: String(port) })
      expect(await server.ended).toBe(1)
      expect(server.output()).toContain(`PORT: ${port} on 127.0.0.1 is taken by another program`)
      expect(server.output()).not.toContain('    at ')
      expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
    } finally {
      blocker.close()
    }
  })
})

describe('a stop signal', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s: ends the process with code 0 and stops its PostgreSQL',
    async (signal) => {
      const server = startServer(DEVELOPMENT)
      const address = await server.ready()
      expect((await fetch(`${address}/readyz`)).status).toBe(200)
      server.child.kill(signal)
      server.child.kill(signal) // A terminal and npm both send it.
      expect(await server.ended).toBe(0)
      expect(existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
    },
  )

  test('ends the process while it is still starting', async () => {
    const server = startServer(DEVELOPMENT)
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
    const server = startServer({ ...DEVELOPMENT, DATABASE_URL: url })
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
})

test('a server whose terminal is gone continues, survives the loss of its database and stops in order', async () => {
  const server = startServer(DEVELOPMENT)
  const address = await server.ready()
  server.child.stdout?.destroy()
  server.child.stderr?.destroy()
  const [pid] = readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(isReady, { timeout: 20_000 }).toBe(503)
  await expect.poll(isReady, { timeout: 20_000 }).toBe(200)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('two servers on one data folder share its database', async () => {
  const first = startServer(DEVELOPMENT)
  await first.ready()
  const second = startServer(DEVELOPMENT)
  const address = await second.ready()
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
})

test('a worker responds on the port for operators only', async () => {
  const { url } = await createTestDatabase()
  const server = startServer({ ...DEVELOPMENT, DATABASE_URL: url, ROLE: 'worker', METRICS_PORT: '0' })
  const address = () => /Metrics are at (\S+)\/metrics/.exec(server.output())?.[1]
  await expect.poll(() => address() ?? server.child.exitCode, { timeout: 25_000 }).not.toBe(null)
  const [metrics, ready] = await Promise.all([fetch(`${address()}/metrics`), fetch(`${address()}/readyz`)])
  expect([metrics.status, ready.status]).toEqual([200, 200])
  expect(await metrics.text()).toContain('waybill_queue_jobs')
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
