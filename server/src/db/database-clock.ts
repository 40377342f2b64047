/** The database's time, which all processes share. */
import { sql } from 'kysely'
import { type Clock, steeredClock } from '../lib/clock.ts'
import type { Db } from './pool.ts'

export type DatabaseClock = Clock & { stop(): void }

export type DatabaseClockOptions = {
  /**
   * Called when the machine's clock starts to differ from the database's, or when the difference changes. 0: they
   * agree again.
   */
  onDifference: (milliseconds: number) => void
  onError: (error: unknown) => void
  /** Overrides the machine's clock; for tests. */
  local?: () => number
  everyMs?: number
}

/** The machine's clock, corrected by the database's clock at once and every minute. */
export async function databaseClock(db: Db, options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { onDifference, onError, local = Date.now, everyMs = 60_000 } = options
  const clock = steeredClock(local)
  let offset = 0
  const look = async () => {
    const from = local()
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
    const [row] = rows
    if (!row) return
    const difference = clock.steer(row.now, from, local())
    if (Math.abs(difference - offset) > 1_000) onDifference(difference)
    offset = difference
  }
  await look()
  const timer = setInterval(() => void look().catch(onError), everyMs)
  timer.unref()
  return { now: clock.now, stop: () => clearInterval(timer) }
}
