/** The general request limit, and the limits of individual calls. */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { findApiKeyGrant, findViewer } from '../caller.ts'
import { AppError } from '../errors.ts'

type Count = { current: number; ttl: number }
type Callback = (error: Error | null, result?: Count) => void
type ChildOptions = { exact?: boolean; routeInfo?: { method?: string | string[]; url?: string } }

const windowMs = 60_000

async function add(db: Db, key: string, by: number): Promise<Count> {
  const result = await sql<{ count: number; ttl: number }>`
    insert into rate_limits as r (key, count, resets_at)
    values (${key}, ${by}, clock_timestamp() + interval '1 minute')
    on conflict (key) do update set count = case
      when r.resets_at <= clock_timestamp() then excluded.count
      else r.count + excluded.count
    end, resets_at = case when r.resets_at <= clock_timestamp() then excluded.resets_at else r.resets_at end
    returning count, greatest(0, extract(epoch from resets_at - clock_timestamp()) * 1000)::int as ttl`.execute(db)
  const row = result.rows[0]
  return { current: row?.count ?? by, ttl: row?.ttl ?? windowMs }
}

/**
 * Counts requests in PostgreSQL, so that all processes share the counters. Calls with an individual limit (sign-in,
 * codes) are counted exactly. The general limit is counted in memory and written once a second, so that reads do not
 * cause a write each.
 */
export class RateStore {
  readonly #db: Db
  readonly #exact: boolean
  readonly #shared: SharedCounts
  readonly #prefix: string

  constructor(db: Db, shared: SharedCounts, exact = false, prefix = '') {
    this.#db = db
    this.#shared = shared
    this.#exact = exact
    this.#prefix = prefix
  }

  incr(key: string, callback: Callback): void {
    if (!this.#exact) {
      callback(null, this.#shared.take(this.#prefix + key))
      return
    }
    // If counting fails, the request is allowed: the call itself reports that the database is down.
    add(this.#db, this.#prefix + key, 1).then(
      (count) => callback(null, count),
      () => callback(null, { current: 1, ttl: windowMs }),
    )
  }

  /** The store of one route, with separate exact counters. */
  child(routeOptions: object): RateStore {
    const options = routeOptions as ChildOptions
    const prefix = options.exact ? `${options.routeInfo?.method} ${options.routeInfo?.url} ` : ''
    return new RateStore(this.#db, this.#shared, options.exact === true, prefix)
  }
}

/** The general limit's counters: those of this process, and the sum of all processes at the last flush. */
export class SharedCounts {
  readonly #db: Db
  #counts = new Map<string, { local: number; total: number; resetsAt: number }>()
  #timer: NodeJS.Timeout

  constructor(db: Db) {
    this.#db = db
    this.#timer = setInterval(() => void this.flush().catch(() => {}), 1000)
    this.#timer.unref()
  }

  take(key: string): Count {
    const now = Date.now()
    let entry = this.#counts.get(key)
    if (!entry || entry.resetsAt <= now) {
      entry = { local: 0, total: 0, resetsAt: now + windowMs }
      this.#counts.set(key, entry)
    }
    entry.local += 1
    return { current: entry.total + entry.local, ttl: entry.resetsAt - now }
  }

  /** Adds this process's counts to the table and reads the sum of all processes. */
  async flush(): Promise<void> {
    const now = Date.now()
    for (const [key, entry] of this.#counts) {
      if (entry.resetsAt <= now) {
        this.#counts.delete(key)
        continue
      }
      const localCount = entry.local
      if (localCount === 0) continue
      const sum = await add(this.#db, key, localCount)
      entry.local -= localCount
      entry.total = sum.current
      entry.resetsAt = now + sum.ttl
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/**
 * A key is counted separately: a misbehaving program must not lock its owner out of the portal. The same applies to
 * staff who view the account.
 */
function callerKey({ caller, ip }: FastifyRequest): string {
  return caller.kind === 'visitor' ? ip : (findApiKeyGrant(caller)?.id ?? findViewer(caller)?.staffId ?? caller.userId)
}

/** Limits requests per minute for each user, or for each address without a session. */
export async function registerRateLimit(app: FastifyInstance, deps: Deps): Promise<void> {
  const shared = new SharedCounts(deps.db)
  app.addHook('onClose', async () => shared.stop())
  await app.register(rateLimit, {
    global: true,
    max: deps.config.http.requestsPerMinute,
    timeWindow: windowMs,
    hook: 'onRequest',
    keyGenerator: callerKey,
    store: class extends RateStore {
      constructor() {
        super(deps.db, shared)
      }
    },
    errorResponseBuilder: (_request, context) => new AppError('too_many_requests', { retryAfter: context.ttl / 1000 }),
  })
}

/** Deletes expired counters. */
export async function deleteOldCounts(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rate_limits').where('resets_at', '<', now).execute()
}
