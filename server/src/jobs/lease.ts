/**
 * Tells the jobs of a living process from those of a killed one. Each pool of workers holds an advisory lock under its
 * name while its process
 * lives; PostgreSQL frees the lock the moment the process is gone, and whoever finds it free unlocks the jobs.
 */
import { openSteadyConnection } from '../db/steady-connection.ts'

export type JobLease = {
  /** Holds the lock of this pool of workers; call it before the pool takes its first job. */
  hold(poolId: string): Promise<void>
  /** Unlocks the jobs of pools whose process is gone; answers how many. */
  unlockAbandoned(): Promise<number>
  stop(): Promise<void>
}

/** The first of the lock's two numbers: any that no other lock of two numbers uses. */
const lockClass = 7_294_631

export async function openJobLease(databaseUrl: string, onError: (error: Error) => void): Promise<JobLease> {
  const own = new Map<string, Promise<unknown>>()
  const connection = await openSteadyConnection(databaseUrl, {
    name: 'waybill jobs lease',
    onError,
    onConnect: async (client) => {
      await client.query(lockStatement, [lockClass, [...own.keys()]])
    },
  })
  // A lock that fails because the connection is down is taken by the next connection.
  const lock = (poolId: string) => connection.query(lockStatement, [lockClass, [poolId]]).catch(onError)
  return {
    async hold(poolId) {
      const locking = own.get(poolId) ?? lock(poolId)
      own.set(poolId, locking)
      await locking
    },
    async unlockAbandoned() {
      const rows = await connection.query<{ unlocked: number }>(unlockStatement, [lockClass, [...own.keys()]])
      return rows[0]?.unlocked ?? 0
    },
    stop: () => connection.stop(),
  }
}

/** Shared: after a reconnect PostgreSQL may still believe in the old session, which must not block the new one. */
const lockStatement = 'select pg_advisory_lock_shared($1::int, hashtext(id)) from unnest($2::text[]) as id'

/**
 * The pause before the next try grows with the attempts, as after any failure: a job that kills its process must not
 * do so again at once.
 * The lock is tried for the length of the statement only.
 */
const unlockStatement = `
  with gone as materialized (
    select locked_by from (
      select locked_by from graphile_worker._private_jobs where locked_by is not null
      union select locked_by from graphile_worker._private_job_queues where locked_by is not null) as pools
    where locked_by <> all ($2::text[]) and pg_try_advisory_xact_lock($1::int, hashtext(locked_by))
  ), queues as (
    update graphile_worker._private_job_queues set locked_at = null, locked_by = null
    where locked_by in (select locked_by from gone)
  ), jobs as (
    update graphile_worker._private_jobs
    set locked_at = null, locked_by = null, updated_at = now(),
      run_at = greatest(run_at, now()) + exp(least(attempts, 10)) * interval '1 second',
      last_error = 'The process that ran this job ended before the job did.'
    where locked_by in (select locked_by from gone) returning 1
  )
  select count(*)::int as unlocked from jobs`
