import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BodyIn, EndpointShape, ParamsIn, QueryIn, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { ErrorBody } from '@waybill/contract/ground/errors'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { CustomFetch } from 'openid-client'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { type Mailbox, startMailbox } from '../../src/demo/peers/mailbox/mailbox.ts'
import type { Deps } from '../../src/deps.ts'
import { startJobs } from '../../src/jobs/runner.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Metrics } from '../../src/metrics/metrics.ts'
import { afterUse } from './after-use.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** A clock that a test can advance. */
export type TestClock = Clock & {
  advance(milliseconds: number): void
  /** Stops the clock: from now on only `advance` changes the time, even on a slow machine. */
  freeze(): void
  /** Ends a freeze. The clock is then ahead by what the test has advanced it. */
  resume(): void
}

function testClock(): TestClock {
  let ahead = 0
  let frozen: number | null = null
  return {
    now: () => new Date((frozen ?? Date.now()) + ahead),
    advance(milliseconds) {
      ahead += milliseconds
    },
    freeze() {
      frozen ??= Date.now()
    },
    resume() {
      frozen = null
    },
  }
}

type CallOptions<E extends EndpointShape> = {
  params?: ParamsIn<E>
  query?: QueryIn<E>
  body?: BodyIn<E>
  token?: string
  language?: string
  headers?: Record<string, string>
}

export type Answered<T> = { status: number; body: T; error: ErrorBody; headers: Record<string, unknown>; raw: Buffer }

export type TestApp = {
  app: FastifyInstance
  deps: Deps
  databaseUrl: string
  clock: TestClock
  mailbox: Mailbox
  /** Calls an endpoint of the contract over HTTP. Returns `body` for status 200, otherwise `error`. */
  call<E extends EndpointShape>(endpoint: E, options?: CallOptions<E>): Promise<Answered<ResponseOf<E>>>
  /** Waits until everything queued so far is done: outbox messages are delivered and jobs have run. */
  settle(): Promise<void>
}

/** Replaces the `:name` parameters of a path. */
export function fillPath(
  endpoint: EndpointShape,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

/** Carriers are enabled but unreachable; tests that need them start simulated ones. */
export const unreachableCarriers = {
  DHL_EXPRESS_URL: 'http://127.0.0.1:9/mydhlapi',
  DHL_EXPRESS_USERNAME: 'nobody',
  DHL_EXPRESS_PASSWORD: 'nothing',
  DHL_EXPRESS_ACCOUNT: '123456789',
  YUNDA_URL: 'http://127.0.0.1:9',
  YUNDA_APP_KEY: 'nobody',
  YUNDA_APP_SECRET: 'nothing',
  YUNDA_PARTNER_ID: 'nobody',
  YUNDA_PARTNER_SECRET: 'nothing',
}

/**
 * The whole server with a separate database and a mailbox. Closed with its test or its file.
 * `database`: a database that the test has created and may kill; no jobs run on it.
 */
export async function buildTestApp(
  environment: Record<string, string> = {},
  {
    database: connectionString,
    ...options
  }: { requestTimeoutMs?: number; database?: TestDatabase; fetchProvider?: CustomFetch; metrics?: Metrics } = {},
): Promise<TestApp> {
  const database = connectionString ?? (await createTestDatabase())
  const mailbox = await startMailbox()
  const clock = testClock()
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  const config = loadConfig(
    {
      NODE_ENV: 'test',
      SECRET_KEY: 'a secret of the tests that is long enough',
      REQUESTS_PER_MINUTE: '1000000',
      LOG_LEVEL: 'error',
      PUBLIC_URL: 'http://portal.test',
      ...unreachableCarriers,
      DATA_DIR: dataDir,
      ...environment,
    },
    [],
  )
  const app = await buildApp({
    config,
    pool: database.pool,
    db: database.db,
    databaseUrl: database.url,
    smtpUrl: mailbox.url,
    mailbox,
    clock,
    ...options,
  })
  // Without a timetable: at the turn of a minute a scheduled job would do what a test is about to look at.
  const jobs = connectionString ? undefined : await startJobs(app.deps, '')
  afterUse(async () => {
    await jobs?.stop()
    // Without this, closing waits for the header time-out of idle connections that never sent a request.
    app.server.closeAllConnections()
    await app.close()
    await mailbox.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  await app.ready()

  return {
    app,
    deps: app.deps,
    databaseUrl: database.url,
    clock,
    mailbox,
    async call(endpoint, options = {}) {
      const answer = await app.inject({
        method: endpoint.method,
        url: fillPath(endpoint, options.params as Record<string, unknown>, options.query as Record<string, unknown>),
        headers: {
          ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
          ...(options.language ? { 'accept-language': options.language } : {}),
          ...options.headers,
        },
        ...(options.body === undefined ? {} : { payload: options.body as object }),
      })
      const json = String(answer.headers['content-type'] ?? '').includes('json') ? answer.json() : undefined
      return {
        status: answer.statusCode,
        body: json,
        error: json,
        headers: answer.headers,
        raw: answer.rawPayload,
      }
    },
    async settle() {
      const isIdle = async () => {
        const due = await sql`select 1 from graphile_worker.jobs where run_at <= now() or locked_at is not null limit 1`
        return (await due.execute(database.db)).rows.length === 0
      }
      // A job may queue another one, and the server's own runner may still be running some. The events of a job that
      // has ended are committed, so they are handled after the first look.
      for (;;) {
        const wasIdle = !jobs || (await isIdle())
        await app.deps.outbox.drain()
        if (!jobs || (wasIdle && (await isIdle()))) return
        await jobs.drain()
      }
    },
  }
}
