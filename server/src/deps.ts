/** What services depend on. */
import type { FastifyBaseLogger } from 'fastify'
import type { CustomFetch } from 'openid-client'
import type pg from 'pg'
import type { CarrierAccess, Config } from './config.ts'
import type { Db } from './db/pool.ts'
import type { ReadPool, Replicas } from './db/replicas/routing.ts'
import type { Settings } from './domains/settings/load-settings.ts'
import type { Live } from './http/live.ts'
import type { Tokens } from './http/tokens.ts'
import type { Clock } from './lib/clock.ts'
import type { KeyRing } from './lib/crypto.ts'
import type { FileStore } from './lib/files.ts'
import type { Translations } from './lib/i18n.ts'
import type { Mailer } from './lib/mail/mail.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Dispatcher } from './outbox/outbox.ts'

/** Created once when the process starts. The database handle is a separate argument wherever a transaction may run. */
export type Deps = {
  config: Config
  /** The carriers' clients: the deployment's, or the demo's. */
  carriers: CarrierAccess
  /** In requests that only read, replicas answer its reads (`db/replicas`). */
  db: Db
  /**
   * Reads what this process keeps in memory, on a connection of its own: a transaction that needs it must not wait for
   * the pool.
   */
  cacheDb: Db
  pool: pg.Pool
  /** `pool` for single reads without the query builder, which replicas may answer. */
  reads: ReadPool
  /** Null: none are configured. */
  replicas: Replicas | null
  /** The URL of `pool`, for connections outside it. */
  databaseUrl: string
  clock: Clock
  keys: KeyRing
  translations: Translations
  settings: Settings
  tokens: Tokens
  live: Live
  outbox: Dispatcher
  mailer: Mailer
  /** How identity providers are reached. */
  fetchProvider: CustomFetch
  /** Uploaded files. */
  files: FileStore
  /** Null: this process serves no metrics. */
  metrics: Metrics | null
  log: FastifyBaseLogger
}
