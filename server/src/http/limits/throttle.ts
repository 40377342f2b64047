/** Slows down guessing of passwords, codes and PINs. */
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import { sha256 } from '../../lib/crypto.ts'
import { AppError } from '../errors.ts'

/** `free` attempts at once, then waits of `firstWait`, twice that, and so on up to `longestWait` seconds. */
export type Throttle = {
  name: string
  free: number
  firstWait: number
  longestWait: number
  /** Seconds after the last attempt until everything is forgotten. */
  memory: number
}

/** The key is hashed, so that the table does not reveal addresses to readers of the database. */
function buildKey(throttle: Throttle, subject: string): string {
  return `${throttle.name} ${sha256(subject).toString('base64url')}`
}

/**
 * Counts an attempt for a subject (an address, a user) before it is made, so that parallel attempts gain nothing. All
 * processes share the count.
 * @throws AppError too_many_requests with the seconds to wait; a refused attempt does not lengthen the wait.
 */
export async function countThrottledAttempt(db: DbOrTx, throttle: Throttle, subject: string, now: Date): Promise<void> {
  const key = buildKey(throttle, subject)
  const forgotten = new Date(now.getTime() + throttle.memory * 1000)
  const wait = sql`least(${throttle.longestWait}::float8,
    ${throttle.firstWait}::float8 * power(2, greatest(0, least(t.count - ${throttle.free}::int, 30))))`
  const memory = sql`${throttle.memory}::int * interval '1 second'`
  const result = await sql`
    insert into rate_limits as t (key, count, resets_at)
    values (${key}, 1, ${forgotten})
    on conflict (key) do update set count = case when t.resets_at <= ${now} then 1 else t.count + 1 end,
      resets_at = ${forgotten}
    where t.count < ${throttle.free}::int
      or t.resets_at <= ${now}
      or t.resets_at - ${memory} + ${wait} * interval '1 second' <= ${now}
    returning 1`.execute(db)
  if (result.rows.length > 0) return
  const remaining = await sql<{ seconds: number }>`
    select extract(
      epoch from t.resets_at - ${memory} + ${wait} * interval '1 second' - ${now}::timestamptz
    )::float8 as seconds
    from rate_limits t
    where t.key = ${key}`.execute(db)
  throw new AppError('too_many_requests', { retryAfter: remaining.rows[0]?.seconds ?? 1 })
}

/** Forgets the attempts of a subject, after one succeeded. */
export async function resetThrottle(db: DbOrTx, throttle: Throttle, subject: string): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', buildKey(throttle, subject)).execute()
}
