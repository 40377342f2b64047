/**
 * Distinguishes the jobs of a living process from those of a killed one. Each pool of workers holds an advisory lock
 * under its name. PostgreSQL frees the lock when the process dies; another process then unlocks the jobs.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { openSteadyConnection } from '../db/steady-connection.ts'

export type JobLease = {
  /**
   * Takes the lock of this pool. Call it before the pool takes its first job, or another process may take the pool for
   * dead.
   */
  hold(poolId: string): Promise<void>
  /** Gives up the lock of a pool that has ended. The next `unlockAbandoned`, here or elsewhere, unlocks its jobs. */
  release(poolId: string): void
  /**
   * Unlocks the jobs of pools that ended, or whose process died. Returns how many. It looks twice, because a living
   * process may be replacing its connection.
   */
  unlockAbandoned(): Promise<number>
  stop(): Promise<void>
}

/** The class of the advisory lock: an arbitrary number that no other lock uses. */
const lockClass = 7_294_631

/** Longer than a living process takes to replace a lost connection, and with it its locks. */
const betweenLooksMs = 5_000

/**
 * Opens the connection that holds the locks of this process's pools and looks for abandoned ones. `pause`: the time
 * between two looks, for tests.
 */
export async function openJobLease(
  databaseUrl: string,
  onError: (error: Error) => void,
  pause: () => Promise<unknown> = () => delay(betweenLooksMs, undefined, { ref: false }),
): Promise<JobLease> {
  const leases = new Map<string, Promise<unknown>>()
  /** Pools that have ended, whose locks the connection may still hold. */
  const ended = new Set<string>()
  const connection = await openSteadyConnection(databaseUrl, {
    name: 'waybill jobs lease',
    onError,
    onConnect: async (client) => {
      await client.query(lockStatement, [lockClass, [...leases.keys()]])
    },
  })
  // If the connection is down, the next connection takes the lock.
  const lock = (poolId: string) => connection.query(lockStatement, [lockClass, [poolId]]).catch(onError)
  return {
    async hold(poolId) {
      const locking = leases.get(poolId) ?? lock(poolId)
      leases.set(poolId, locking)
      await locking
    },
    release(poolId) {
      if (leases.delete(poolId)) ended.add(poolId)
    },
    async unlockAbandoned() {
      const unlock = async (poolIds: readonly string[]) => {
        const rows = await connection.query<{ unlocked: number }>(unlockStatement, [lockClass, poolIds])
        return rows[0]?.unlocked ?? 0
      }
      const own = [...ended]
      for (const poolId of own) await connection.query(releaseStatement, [lockClass, poolId])
      let unlocked = own.length === 0 ? 0 : await unlock(own)
      for (const poolId of own) ended.delete(poolId)
      const free = await connection.query<{ id: string }>(freeStatement, [lockClass, [...leases.keys()]])
      if (free.length > 0) {
        await pause()
        unlocked += await unlock(free.map(({ id }) => id))
      }
      return unlocked
    },
    stop: () => connection.stop(),
  }
}

/** Shared, because PostgreSQL may still keep the old session after a reconnect; an exclusive lock would wait for it. */
const lockStatement = 'select pg_advisory_lock_shared($1::int, hashtext(id)) from unnest($2::text[]) as id'

/** A connection that replaced the one with the lock does not hold it; then PostgreSQL only warns. */
const releaseStatement = 'select pg_advisory_unlock_shared($1::int, hashtext($2::text))'

/** Pools that have jobs but no lock. */
const freeStatement = `
  select locked_by as id from (
    select locked_by from graphile_worker._private_jobs where locked_by is not null
    union select locked_by from graphile_worker._private_job_queues where locked_by is not null) as pools
  where locked_by <> all ($2::text[]) and pg_try_advisory_xact_lock($1::int, hashtext(locked_by))`

/**
 * The pause grows with the attempts: a job that kills its process must not do so again at once. The advisory lock is
 * held only during this statement.
 */
const unlockStatement = `
  with gone as materialized (
    select locked_by from unnest($2::text[]) as locked_by
    where pg_try_advisory_xact_lock($1::int, hashtext(locked_by))
  ), queues as (
    update graphile_worker._private_job_queues set locked_at = null, locked_by = null
    where locked_by in (select locked_by from gone)
  ), jobs as (
    update graphile_worker._private_jobs
    set locked_at = null, locked_by = null, updated_at = now(),
      run_at = greatest(run_at, now()) + exp(least(attempts, 10)) * interval '1 second',
      last_error = 'The process that ran this job ended, or lost the database, before the result was stored.'
    where locked_by in (select locked_by from gone) returning 1
  )
  select count(*)::int as unlocked from jobs`
