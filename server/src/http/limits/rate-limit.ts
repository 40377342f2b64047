/** The general request limit, and the limits of individual calls. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { deleteOldRows } from '../../db/batches.ts'
import type { Db } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { findApiKeyGrant, findViewer } from '../caller.ts'
import { AppError } from '../errors.ts'
import { limitedAddress } from './limited-address.ts'

type Count = { current: number; ttl: number }

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

/** The general limit's counters: those of this process, and the sum of all processes at the last flush. */
export class SharedCounts {
  readonly #db: Db
  #counts = new Map<string, { local: number; total: number; resetsAt: number }>()
  #timer: NodeJS.Timeout
  #flush: Promise<void> | null = null

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

  /** The count of a key so far. */
  read(key: string): Count {
    const entry = this.#counts.get(key)
    const ttl = (entry?.resetsAt ?? 0) - Date.now()
    return entry && ttl > 0 ? { current: entry.total + entry.local, ttl } : { current: 0, ttl: 0 }
  }

  /**
   * Adds this process's counts to the table and reads the sum of all processes. If a flush still runs, it is returned:
   * a second one would add the same counts again, and a slow database would get one more every second.
   */
  flush(): Promise<void> {
    this.#flush ??= this.#write().finally(() => {
      this.#flush = null
    })
    return this.#flush
  }

  async #write(): Promise<void> {
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
  if (caller.kind === 'visitor') return limitedAddress(ip)
  return findApiKeyGrant(caller)?.id ?? findViewer(caller)?.staffId ?? caller.userId
}

/** Reports the rest of the limit. Returns the error if it is used up. */
function checkCount(reply: FastifyReply, max: number, { current, ttl }: Count): AppError | undefined {
  reply.header('x-ratelimit-limit', max)
  reply.header('x-ratelimit-remaining', Math.max(0, max - current))
  reply.header('x-ratelimit-reset', Math.ceil(ttl / 1000))
  return current > max ? new AppError('too_many_requests', { retryAfter: ttl / 1000 }) : undefined
}

/**
 * Limits requests per minute for each user, or for each address without a session. Counters are in PostgreSQL, so that
 * all processes share them. Calls with an individual limit (sign-in, codes) are counted exactly. The general limit is
 * counted in memory and written once a second, so that reads do not cause a write each. Files of the web app are not
 * counted: a first visit loads about a hundred, and all users of an office may share one address.
 */
export function registerRateLimit(app: FastifyInstance, deps: Deps, shared: SharedCounts): void {
  // A callback instead of a promise: the general limit waits for nothing.
  app.addHook('onRequest', (request, reply, done) => {
    const { endpoint, webFiles } = request.routeOptions.config
    if (webFiles) {
      done()
      return
    }
    if (endpoint?.perMinute === undefined) {
      done(checkCount(reply, deps.config.http.requestsPerMinute, shared.take(callerKey(request))))
      return
    }
    const max = endpoint.perMinute
    add(deps.db, `${endpoint.method} ${request.routeOptions.url} ${callerKey(request)}`, 1).then(
      (count) => done(checkCount(reply, max, count)),
      // If counting fails, the request is allowed: the call itself reports that the database is down.
      () => done(),
    )
  })
}

/** Starts the counters of the general limit, until the server closes. */
export function startCounts(app: FastifyInstance, { db }: Deps): SharedCounts {
  const shared = new SharedCounts(db)
  app.addHook('onClose', async () => shared.stop())
  return shared
}

/**
 * Looks up an API key. Unknown ones are counted for each address, and beyond the general limit none is looked up: each
 * would cost a query before the request itself is counted. Throws too_many_requests.
 */
export async function findLimitedKey<T>(
  { config }: Deps,
  shared: SharedCounts,
  ip: string,
  find: () => Promise<T | null>,
): Promise<T | null> {
  const key = `unknown keys ${limitedAddress(ip)}`
  const { current, ttl } = shared.read(key)
  if (current >= config.http.requestsPerMinute) throw new AppError('too_many_requests', { retryAfter: ttl / 1000 })
  const caller = await find()
  if (caller === null) shared.take(key)
  return caller
}

/** Deletes expired counters. */
export async function deleteOldCounts(db: Db, now: Date): Promise<void> {
  await deleteOldRows(db, 'rate_limits', 'resets_at', now)
}
