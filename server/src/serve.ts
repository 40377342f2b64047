/**
 * Starts everything from the environment to a listening server, and stops it in the opposite order; requests and jobs
 * end at the same time.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { type CarrierAccess, type Config, ConfigError, loadConfig } from './config.ts'
import { probeFolder } from './data-folder.ts'
import type { Db } from './db/pool.ts'
import type { Mailbox } from './demo/peers/mailbox/mailbox.ts'
import type { JobRunner } from './jobs/runner.ts'
import { collectGarbage } from './lib/memory.ts'

type Terminal = {
  /** Prints a line for the operator. */
  say: (line: string) => void
  /** Prints a line about a problem. */
  complain: (line: string) => void
}

/** How long running requests may take once the server is stopping. */
const finishLimitMs = 10_000

/** How long closing connections may wait for work that did not end in time. */
const endLimitMs = 2_000

/** How long stopping may take in all. A component that hangs, such as a lost database, must not keep the process. */
const stopLimitMs = 30_000

/** The garbage collection waits this long, so that the first requests after the start are not delayed. */
const garbageAfterMs = 2_000

/**
 * Ctrl-C in a terminal reaches the process twice, directly and from its parent. Only a later signal forces an immediate
 * stop.
 */
const sameSignalMs = 1_000

/** Thrown between two steps of the start after a signal. */
class InterruptedError extends Error {}

/**
 * Runs the server until it is told to stop (SIGINT, SIGTERM, SIGHUP, or the end of the command that started it). Then
 * it ends the process: code 0 after an orderly stop, 1 if it could not start, with one line per problem.
 */
export async function serve(terminal: Terminal): Promise<void> {
  const running = new Running(terminal)
  running.watchSignals()
  try {
    await start(loadConfig(), running, terminal)
  } catch (error) {
    if (!(error instanceof InterruptedError))
      terminal.complain(error instanceof ConfigError ? error.message : oneLine(error))
    await running.stop(error instanceof InterruptedError ? 0 : 1)
  }
}

async function start(config: Config, running: Running, { say }: Terminal): Promise<void> {
  await requireFreePorts(config)
  // PostgreSQL starts in its own processes while this one loads the application.
  const opening = openDatabase(config, running, say)
  opening.catch(() => undefined) // the rejection is reported where it is awaited
  const [{ buildApp }, { createDb, createPool }, { migrate }] = await Promise.all([
    import('./app.ts'),
    import('./db/pool.ts'),
    import('./db/migrate.ts'),
  ])
  const databaseUrl = await opening
  running.proceed()

  // Before the migration, so that a start that fails changes nothing.
  if (!config.s3) await requireWritable(config.dataDir)
  await migrate(databaseUrl, { log: say }).catch((error: unknown) => {
    throw config.database.url ? aboutDatabase(config.database.url, error) : error
  })
  running.proceed()

  let app: FastifyInstance | undefined
  const pool: pg.Pool = createPool(databaseUrl, {
    max: config.database.poolMax,
    // Only the message: pg attaches the whole connection to the error.
    onError: (error) => app?.log.warn(`database connection lost (${error.message}); connecting again`),
  })
  running.onStop(() => atMost(endLimitMs, pool.end()))
  if (config.env === 'production') await requireNoDemoData(createDb(pool))
  const mailbox = config.mail.smtpUrl === undefined ? await openMailbox(running) : undefined
  const smtpUrl = config.mail.smtpUrl ?? mailbox?.url ?? ''
  const carriers = config.demo ? await openSimulatedCarriers(config, running) : config.carriers
  const metrics = config.metrics ? (await import('./metrics/metrics.ts')).createMetrics() : undefined
  let jobs: JobRunner | undefined
  let jobsEnd: Promise<boolean> | undefined
  const peers = { smtpUrl, mailbox, carriers }
  const built = await buildApp({
    ...{ config, pool, db: createDb(pool), databaseUrl, metrics, ...peers },
    jobsEnd: () => jobsEnd,
  })
  app = built
  running.onStop(async () => {
    jobsEnd = jobs?.stop()
    const closing = closeApp(built)
    // A job that still runs may have one of the app's connections, which end with the process.
    await ((await jobsEnd) === false ? atMost(endLimitMs, closing) : closing)
  })
  running.proceed()

  if (config.demo) {
    const { isEmpty } = await import('./demo/empty.ts')
    if (await isEmpty(built.deps.db)) {
      const { seedDemo } = await import('./demo/play.ts')
      if (await seedDemo(built.deps)) say('The demo has its data: ninety days of parcels')
    }
    running.proceed()
  }
  const address = config.role === 'worker' ? undefined : await listen(built, config)
  if (config.metrics && metrics) {
    const { listenForOperators } = await import('./metrics/server.ts')
    const { host, port } = config.metrics
    const operators = await listenForOperators(built.deps, metrics, config.metrics).catch((error: unknown) => {
      throw aboutPort(error, { name: 'METRICS_PORT', port, hostName: 'METRICS_HOST', host })
    })
    running.onStop(() => operators.stop())
    say(`Metrics are at ${operators.address}/metrics`)
  }
  if (config.role !== 'web') {
    const { startJobs } = await import('./jobs/runner.ts')
    jobs = await startJobs(built.deps)
  }
  running.started()
  say(address ? `Waybill is ready: ${address}` : 'Waybill is ready to work on jobs')
  if (config.demo && address) {
    const { demoLoginLines } = await import('./demo/story/logins.ts')
    for (const line of demoLoginLines(address)) say(line)
  }
  setTimeout(collectGarbage, garbageAfterMs).unref()
}

/** Refuses to serve demo data outside the demo: the passwords of its logins are public. */
async function requireNoDemoData(db: Db): Promise<void> {
  const { findDemoLogin } = await import('./demo/find-demo-login.ts')
  const email = await findDemoLogin(db)
  if (email) {
    throw new Error(`DATABASE_URL: holds the demo's data (the login ${email}); production needs a database of its own.`)
  }
}

async function openDatabase(config: Config, running: Running, say: (line: string) => void): Promise<string> {
  if (config.database.url) return config.database.url
  const { startEmbeddedPostgres } = await import('./db/embedded.ts')
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: say })
  running.onStop(() => postgres.stop())
  return postgres.url
}

/** Starts the demo's mail server if the deployment has none. */
async function openMailbox(running: Running): Promise<Mailbox> {
  const { startMailbox } = await import('./demo/peers/mailbox/mailbox.ts')
  const mailbox = await startMailbox()
  running.onStop(() => mailbox.stop())
  return mailbox
}

/** Simulates the carriers that the demo has no credentials for. */
async function openSimulatedCarriers(config: Config, running: Running): Promise<CarrierAccess> {
  const { startSimulatedCarriers } = await import('./demo/peers/carriers.ts')
  const carriers = await startSimulatedCarriers(config)
  running.onStop(() => carriers.stop())
  return carriers.access
}

/** Listens. Returns the address that people open. */
async function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { host, port, publicUrl } = config.http
  try {
    const address = await app.listen({ host, port })
    return port === 0 ? address : publicUrl
  } catch (error) {
    throw aboutPort(error, { name: 'PORT', port, hostName: 'HOST', host })
  }
}

/** Checks that the ports are free, before anything else: a start that fails must change nothing, and fail at once. */
async function requireFreePorts({ role, http, metrics }: Config): Promise<void> {
  const ports = [
    ...(role === 'worker' ? [] : [{ name: 'PORT', hostName: 'HOST', host: http.host, port: http.port }]),
    ...(metrics ? [{ name: 'METRICS_PORT', hostName: 'METRICS_HOST', ...metrics }] : []),
  ]
  for (const each of ports) {
    const probe = createServer().listen(each.port, each.host)
    await once(probe, 'listening').catch((error: unknown) => {
      throw aboutPort(error, each)
    })
    await once(probe.close(), 'close')
  }
}

/** Why a port cannot be opened. `name` and `hostName` are the variables to change. */
function aboutPort(
  error: unknown,
  { name, port, hostName, host }: { name: string; port: number; hostName: string; host: string },
): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return new Error(`${name}: ${port} on ${host} is taken by another program; end that, or set another ${name}.`)
  if (code === 'EACCES') return new Error(`${name}: this account may not open ${port}; set a ${name} from 1024 on.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`${hostName}: ${host} is not an address of this machine.`)
  return error
}

/** Uploads would fail later, one by one, while the portal seems to work. */
async function requireWritable(dataDir: string): Promise<void> {
  try {
    await probeFolder(dataDir)
  } catch (error) {
    throw new Error(`DATA_DIR: ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}

const atMost = (ms: number, work: Promise<unknown>) => Promise.race([work, delay(ms)])

/** Refuses new requests and waits for running ones, within the limit. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const begin = Date.now()
  const closing = app.close()
  const sweep = setInterval(() => {
    // A keep-alive connection that was busy when closing began would stay open until the browser's next request.
    if (Date.now() - begin < finishLimitMs) app.server.closeIdleConnections()
    else app.server.closeAllConnections()
  }, 50)
  await closing.finally(() => clearInterval(sweep))
}

/** The started components, so that they can be stopped in reverse order. */
class Running {
  readonly #terminal: Terminal
  readonly #stops: (() => Promise<unknown>)[] = []
  #started = false
  #signalled: number | undefined
  #stopping: Promise<never> | undefined

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  onStop(stop: () => Promise<unknown>): void {
    this.#stops.push(stop)
  }

  /** Called between two steps of the start. Throws if a signal arrived meanwhile. */
  proceed(): void {
    if (this.#signalled !== undefined) throw new InterruptedError()
  }

  watchSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.#onSignal())
    // The channel exists only under `npm start`. If that process ends, this one could not be stopped otherwise.
    process.on('disconnect', () => this.#onSignal())
    // Without a listener, a line for a closed terminal or log pipe is an uncaught error, which prints the next line.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => {
        this.#terminal.complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
        void this.stop(1)
      })
    }
  }

  /** Called after the last step of the start: from then on a signal stops the server at once. */
  started(): void {
    this.proceed()
    this.#started = true
  }

  /** Stops everything in the opposite order and ends the process. */
  stop(code: number): Promise<never> {
    this.#stopping ??= this.#unwind(code)
    return this.#stopping
  }

  #onSignal(): void {
    const now = Date.now()
    if (this.#signalled !== undefined && now - this.#signalled > sameSignalMs) process.exit(1)
    this.#signalled ??= now
    if (this.#started) void this.stop(0)
  }

  async #unwind(code: number): Promise<never> {
    let exitCode = code
    setTimeout(() => {
      this.#terminal.complain(`Not stopped within ${stopLimitMs / 1000} seconds; ending the process.`)
      process.exit(1)
    }, stopLimitMs)
    for (const stop of this.#stops.reverse()) {
      try {
        await stop()
      } catch (error) {
        this.#terminal.complain(`While stopping: ${oneLine(error)}`)
        exitCode = 1
      }
    }
    process.exit(exitCode)
  }
}

/** Why the operator's own database cannot be used, without its password. */
function aboutDatabase(url: string, error: unknown): Error {
  const { code, message } = error as { code?: string; message: string }
  const { host: address, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? address
  const reasons: Record<string, string> = {
    ECONNREFUSED: 'nothing listens there',
    ENOENT: 'there is no such socket',
    ENOTFOUND: 'there is no such host',
    ETIMEDOUT: 'it does not answer',
    '28P01': 'the password is wrong',
    '28000': 'the user may not connect',
    '3D000': 'there is no such database',
  }
  const reason = reasons[code ?? '']
  const sentence = reason ?? (foreseenConnectionErrors.test(message) ? message : undefined)
  return sentence
    ? new Error(`DATABASE_URL: cannot connect to ${host}${pathname}: ${sentence}.`, { cause: error })
    : new Error(message, { cause: error })
}

/** Messages of pg and TLS without a code that the operator can act on. */
const foreseenConnectionErrors = /password must be a string|does not support SSL|certificate|self[- ]signed/i

/** An expected error is a sentence. For any other error the stack is needed too. */
function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const foreseen = error.constructor === Error && /\.$/.test(error.message)
  return foreseen ? error.message : (error.stack ?? error.message)
}
