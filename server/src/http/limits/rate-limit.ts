import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
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
 * Counts in PostgreSQL, so that every process sees every other's. Calls with a limit of their own (sign-in, codes) are
 * counted exactly; the general limit is counted here and told to the database once a second, which keeps a write off
 * every read.
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
    const counted = this.#exact
      ? add(this.#db, this.#prefix + key, 1)
      : Promise.resolve(this.#shared.take(this.#prefix + key))
    // A limiter that can't count doesn't refuse: the call itself will say that the database is away.
    counted.then(
      (count) => callback(null, count),
      () => callback(null, { current: 1, ttl: windowMs }),
    )
  }

  /** The store of one route: exact counts are kept apart for each call. */
  child(routeOptions: object): RateStore {
    const options = routeOptions as ChildOptions
    const prefix = options.exact ? `${options.routeInfo?.method} ${options.routeInfo?.url} ` : ''
    return new RateStore(this.#db, this.#shared, options.exact === true, prefix)
  }
}

/** The general limit's counters of this process and what the others have counted. */
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

  /** Adds what was counted here to the table and takes over the sum of all processes. */
  async flush(): Promise<void> {
    const now = Date.now()
    for (const [key, entry] of this.#counts) {
      if (entry.resetsAt <= now) {
        this.#counts.delete(key)
        continue
      }
      const counted = entry.local
      if (counted === 0) continue
      const sum = await add(this.#db, key, counted)
      entry.local -= counted
      entry.total = sum.current
      entry.resetsAt = now + sum.ttl
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

function callerKey(request: FastifyRequest): string {
  return request.caller.kind === 'visitor' ? request.ip : request.caller.userId
}

/** A limit a minute for each user, or for each address without a session. */
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

/** Counters whose time is over. */
export async function deleteOldCounts(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rate_limits').where('resets_at', '<', now).execute()
}
