/** The server: its dependencies and hooks. */
import { join } from 'node:path'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import type { CustomFetch } from 'openid-client'
import type pg from 'pg'
import type { CarrierAccess, Config } from './config.ts'
import { databaseClock } from './db/database-clock.ts'
import { createDb, createPool, type Db } from './db/pool.ts'
import { simulatedBankRoutes } from './demo/peers/bank/routes.ts'
import type { Mailbox } from './demo/peers/mailbox/mailbox.ts'
import { demoMailboxRoutes } from './demo/peers/mailbox/routes.ts'
import type { Deps } from './deps.ts'
import { followRevocations } from './domains/accounts/rights.ts'
import { resealFactors } from './domains/accounts/second-factor/service.ts'
import { findKeyCaller, keyMark } from './domains/integrations/api-keys/service.ts'
import { resealWebhooks } from './domains/integrations/webhooks/signing.ts'
import { loadSettings } from './domains/settings/load-settings.ts'
import { getBrand, resealSecrets } from './domains/settings/service.ts'
import { followNetwork } from './domains/stations/network.ts'
import { registerCompression } from './http/compression.ts'
import { answerBrokenRequest, rejectWhileStopping } from './http/connections.ts'
import { countRequests } from './http/count-requests.ts'
import { registerErrors } from './http/errors.ts'
import { registerJson } from './http/json-text.ts'
import { findLimitedKey, registerRateLimit, type SharedCounts, startCounts } from './http/limits/rate-limit.ts'
import { startLive } from './http/live.ts'
import { registerOpenApi } from './http/openapi/openapi.ts'
import { listRoutes, type RegisteredRoute } from './http/openapi/route-list.ts'
import { healthRoutes } from './http/readiness.ts'
import { startReplicas } from './http/replica-reads.ts'
import { contractValidator, requestLocale } from './http/route.ts'
import { followTileHost, registerSecurity, securityHeaders } from './http/security.ts'
import { createTokens } from './http/tokens.ts'
import { registerUploads } from './http/uploads.ts'
import { registerWeb } from './http/web.ts'
import { ensurePartitions } from './jobs/housekeeping.ts'
import type { Clock } from './lib/clock.ts'
import { keyRing } from './lib/crypto.ts'
import { localFiles } from './lib/files.ts'
import { loadTranslations } from './lib/i18n.ts'
import { createMailer } from './lib/mail/mail.ts'
import { s3Files } from './lib/s3-files.ts'
import { errorFields } from './lib/text/log-fields.ts'
import type { Metrics } from './metrics/metrics.ts'
import { createOutbox } from './outbox/outbox.ts'
import { outboxSubscriptions } from './outbox/subscriptions.ts'
import { registerRoutes } from './routes.ts'

export type AppOptions = {
  config: Config
  pool: pg.Pool
  db: Db
  /** The URL of `pool`; the live channel needs a connection of its own. */
  databaseUrl: string
  /** Where mail is sent: the deployment's server, or the demo's mailbox. */
  smtpUrl: string
  /** The demo's mailbox, shown at `/demo/mailbox`. */
  mailbox?: Mailbox | undefined
  clock?: Clock
  /** Overrides the time in which a request must arrive; for tests. */
  requestTimeoutMs?: number
  /** Overrides the configured carriers; for the demo. */
  carriers?: CarrierAccess | undefined
  metrics?: Metrics | undefined
  /** Overrides how identity providers are reached; for tests. */
  fetchProvider?: CustomFetch
  /** Resolves when no job runs any more. Closing waits for it before it closes what jobs use. */
  jobsEnd?: () => Promise<unknown> | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    deps: Deps
    /** Every route with its endpoint. */
    routes: readonly RegisteredRoute[]
  }
}

/** The time in which a request must arrive: enough for 10 MB over a bad mobile connection (0.7 Mbit/s). */
const requestTimeoutMs = 120_000
/** Headers are small, so a slow client only blocks a connection. */
const headersTimeoutMs = 20_000

/** Paths of public pages and calls contain a token, with which anybody can act without a session. */
const publicToken = /^((?:\/api)?\/public\/[^/]+\/)[^/]+/

/**
 * What a log line says about a request. Without query, headers, body and token it contains no personal data and no
 * secret.
 */
const requestFields = (request: { method: string; url: string }) => ({
  method: request.method,
  path: request.url.split('?', 1)[0]?.replace(publicToken, '$1***'),
})

/** The connection that reads what this process keeps in memory (`deps.cacheDb`). */
const createCachePool = (app: FastifyInstance, url: string) =>
  createPool(url, {
    max: 1,
    name: 'waybill caches',
    onError: (error) => app.log.warn(`database connection of the caches lost (${error.message}); connecting again`),
  })

const logUnreadable = (app: FastifyInstance) => (key: string) =>
  app.log.error(`the setting ${key} cannot be decrypted with SECRET_KEY or SECRET_KEY_PREVIOUS; enter it again`)

/**
 * Builds the whole server, ready to listen. `app.deps` has the dependencies of its services. Closing it closes what it
 * opened, but not the pool.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config } = options
  const { trustProxy } = config.http
  const translations = loadTranslations()
  const headers = securityHeaders(config)
  const timeout = options.requestTimeoutMs ?? requestTimeoutMs
  const headersTimeout = Math.min(headersTimeoutMs, timeout)
  const app: FastifyInstance = Fastify({
    logger: { level: config.logLevel, serializers: { req: requestFields, err: (error) => errorFields(error) } },
    trustProxy: typeof trustProxy === 'boolean' ? trustProxy : [...trustProxy],
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 40_000, ignoreTrailingSlash: true },
    // A print run of a thousand ids makes a URL of 37 kB; Node limits the URL and headers to 16 kB.
    http: { maxHeaderSize: 65_536, headersTimeout, connectionsCheckingInterval: Math.min(5_000, headersTimeout) },
    forceCloseConnections: 'idle',
    requestTimeout: timeout,
    // Our own hook answers requests while the server stops, in the same shape as every other error.
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest(translations, headers),
    // A path that cannot be decoded reaches neither a route nor a hook, but must be answered like any other error.
    frameworkErrors(error, request, reply) {
      reply.headers(Object.fromEntries(headers))
      return app.errorHandler(error, request, reply)
    },
  })
  const database = startReplicas(app, options)
  const { db } = database
  const cachePool = createCachePool(app, options.databaseUrl)
  const clock = options.clock ?? (await startClock(app, db))
  const keys = keyRing(config.secretKey, config.previousSecretKeys)
  const live = await startLive(options.databaseUrl, (error) =>
    app.log.warn({ err: error }, 'live channel lost; connecting again'),
  )
  const outbox = createOutbox(db)
  const mailer = createMailer(options.smtpUrl, config.mail.from, config.mail.requireTls)
  const cacheDb = createDb(cachePool)
  const deps: Deps = {
    config,
    carriers: options.carriers ?? config.carriers,
    ...database,
    cacheDb,
    databaseUrl: options.databaseUrl,
    clock,
    keys,
    translations,
    settings: await loadSettings(cacheDb, live, keys, logUnreadable(app)),
    tokens: createTokens(keys.derivations('access tokens'), clock),
    live,
    outbox,
    mailer,
    fetchProvider: options.fetchProvider ?? ((url, request) => fetch(url, request as RequestInit)),
    files: config.s3 ? s3Files(config.s3) : localFiles(join(config.dataDir, 'files')),
    metrics: options.metrics ?? null,
    log: app.log,
  }
  await resealSecrets(deps)
  await resealFactors(deps)
  await resealWebhooks(deps)
  await followRevocations(deps)
  followNetwork(deps)
  await ensurePartitions(db, clock.now())
  app.decorate('deps', deps)
  app.decorate('routes', listRoutes(app))
  app.addHook('preClose', async () => live.endStreams())
  app.addHook('onClose', async () => {
    await outbox.stop()
    await live.stop()
    await cachePool.end()
    mailer.close()
    deps.files.close()
  })

  app.setValidatorCompiler(contractValidator)
  registerJson(app, requestLocale, translations)
  registerErrors(app, requestLocale, translations)
  rejectWhileStopping(app)
  app.decorateRequest('caller')
  app.addHook('onResponse', async (request) => {
    if (request.method !== 'GET' && !request.routeOptions.config.endpoint?.question) outbox.kick()
  })
  if (deps.metrics) countRequests(app, deps.metrics)
  registerCompression(app)
  registerSecurity(app, followTileHost(deps))
  const counts = startCounts(app, deps)
  identifyCallers(app, deps, counts)
  registerRateLimit(app, deps, counts)
  await app.register(formbody)
  await registerUploads(app)
  await registerOpenApi(app)

  healthRoutes(app, deps)
  registerRoutes(app, deps)
  if (config.demo) simulatedBankRoutes(app, deps)
  if (config.demo && options.mailbox) demoMailboxRoutes(app, deps, options.mailbox)
  await registerWeb(app, () => getBrand(deps))
  outbox.start(deps.log, outboxSubscriptions(deps))
  // Fastify calls the last of these hooks first, after the last response.
  app.addHook('onClose', async () => options.jobsEnd?.())
  return app
}

/** Sets the caller of each request by its access token or API key. */
function identifyCallers(app: FastifyInstance, deps: Deps, counts: SharedCounts): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const header = request.headers.authorization
    request.caller = { kind: 'visitor' }
    if (!header?.startsWith('Bearer ')) {
      done()
      return
    }
    const token = header.slice(7)
    const finding = token.startsWith(keyMark)
      ? findLimitedKey(deps, counts, request.ip, () => findKeyCaller(deps, token))
      : deps.tokens.verify(token)
    finding.then((caller) => {
      request.caller = caller ?? { kind: 'visitor' }
      done()
    }, done)
  })
}

async function startClock(app: FastifyInstance, db: Db): Promise<Clock> {
  const clock = await databaseClock(db, {
    onDifference: (milliseconds) =>
      app.log.warn(
        `the clock of this machine is ${Math.round(-milliseconds / 1000)} s ahead of the database's, which counts`,
      ),
    onError: (error) => app.log.warn({ err: error }, 'the clock of the database could not be read'),
  })
  app.addHook('onClose', async () => clock.stop())
  return clock
}
