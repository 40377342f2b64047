/** Runs the queued jobs with graphile-worker. */
import { setTimeout as delay } from 'node:timers/promises'
import { Logger, type RunnerOptions, run, runTaskListOnce, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import { createPool } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { crontab, timedJobs } from './cron.ts'
import { type JobName, type JobRun, type Jobs, PermanentJobError } from './jobs.ts'
import { type JobLease, openJobLease } from './lease.ts'
import { type Tasks, tasks } from './tasks.ts'

export type JobRunner = {
  /** Runs every due job and waits for it; for tests and tools. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/** Jobs that wait for other systems have separate slots, so that a slow system delays no other job. */
type Lane = 'own' | 'mail' | 'outside' | 'files' | 'webhooks' | 'webhook retries' | 'push'
/** Deliveries to failing webhook receivers delay each other, but not deliveries to working ones. */
const slots: Record<Lane, number> = {
  own: 4,
  mail: 2,
  outside: 2,
  files: 2,
  webhooks: 4,
  'webhook retries': 4,
  push: 2,
}
const laneByJob: Partial<Record<JobName, Lane>> = {
  'mail:send': 'mail',
  'parcels:book-carrier': 'outside',
  'parcels:book-carriers': 'outside',
  'parcels:track-carriers': 'outside',
  'payments:expire': 'outside',
  'payments:check': 'outside',
  'orders:make-dossier': 'files',
  'reports:make-file': 'files',
  'housekeeping:sweep': 'files',
  'notifications:push': 'push',
  'tracking:push-follower': 'push',
  'webhooks:deliver': 'webhooks',
  'webhooks:retry': 'webhook retries',
}

const unlockEveryMs = 60_000
/** The pause before a lane that ended unexpectedly is restarted. */
const restartAfterMs = 2_000

function taskList(deps: Deps, queuePool: pg.Pool, isWanted: (name: JobName) => boolean): TaskList {
  const names = (Object.keys(tasks) as JobName[]).filter(isWanted)
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (payload, { job }) => {
        // The queue returns the payload that `addJob` stored.
        await runTask(deps, name, payload as Jobs[typeof name], { id: job.id, createdAt: job.created_at }).catch(
          async (error: unknown) => {
            if (error instanceof PermanentJobError) await endAttempts(queuePool, job.id)
            throw error
          },
        )
        if (timedJobs.includes(name)) await forgetFailures(queuePool, name, job.id)
      },
    ]),
  )
}

async function runTask<N extends JobName>(deps: Deps, name: N, payload: Jobs[N], job: JobRun): Promise<void> {
  const task: Tasks[N] = tasks[name]
  const begin = performance.now()
  let outcome: 'succeeded' | 'failed' = 'failed'
  try {
    await task?.(deps, payload, job)
    outcome = 'succeeded'
  } finally {
    deps.metrics?.countJob({ task: name, outcome, seconds: (performance.now() - begin) / 1000 })
  }
}

/** Makes the current attempt of a job the last. `restoreJobs` of failed work restores all attempts. */
async function endAttempts(queuePool: pg.Pool, id: string): Promise<void> {
  await queuePool.query(
    `update graphile_worker._private_jobs
     set flags = coalesce(flags, '{}') || jsonb_build_object('maxAttempts', max_attempts), max_attempts = attempts
     where id = $1`,
    [id],
  )
}

/** Deletes earlier failures of a scheduled job after a run of it succeeded. */
async function forgetFailures(queuePool: pg.Pool, name: JobName, before: string): Promise<void> {
  await queuePool.query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.identifier = $1 and j.task_id = t.id and j.id < $2 and j.locked_at is null
       and j.attempts >= j.max_attempts`,
    [name, before],
  )
}

function logger(deps: Deps): Logger {
  // `meta` contains the payload, which is personal data, so only the message is logged.
  return new Logger(() => (level, message) => {
    if (level === 'error') deps.log.error(message)
    else if (level === 'warning') deps.log.warn(message)
    else deps.log.debug(message)
  })
}

/** Takes the lock before the first job, or another process could take this pool for abandoned. */
const holdingLease = (lease: JobLease): RunnerOptions['preset'] => ({
  plugins: [
    {
      name: 'waybill-lease',
      worker: { hooks: { startWorker: async (_context, { worker }) => lease.hold(worker.workerPool.id) } },
    },
  ],
})

/**
 * Runs queued jobs until stopped. graphile-worker retries a failed job with exponential back-off. Jobs of killed
 * processes are unlocked at the start and every minute.
 */
export async function startJobs(deps: Deps, timetable: string = crontab): Promise<JobRunner> {
  // A separate pool: jobs must run even while requests use all connections of theirs.
  const pool = createPool(deps.databaseUrl, {
    max: Object.keys(slots).length + 3,
    name: 'waybill jobs',
    onError: (error) => deps.log.warn(`job queue: database connection lost (${error.message}); connecting again`),
  })
  const lease = await openJobLease(deps.databaseUrl, (error) =>
    deps.log.warn(`job queue: lease lost (${error.message}); connecting again`),
  )
  const shared = { pgPool: pool, logger: logger(deps), preset: holdingLease(lease), noPreparedStatements: false }
  const unlock = () =>
    lease.unlockAbandoned().then(
      (count) => count > 0 && deps.log.warn(`job queue: ${count} jobs of ended processes are tried again`),
      (error: unknown) => deps.log.warn({ err: error }, 'job queue: abandoned jobs could not be looked for'),
    )
  await unlock()
  const unlocking = setInterval(unlock, unlockEveryMs)
  unlocking.unref()
  const lanes = await Promise.all(
    (Object.keys(slots) as Lane[]).map((lane) =>
      keepRunning(deps, {
        ...shared,
        taskList: taskList(deps, pool, (name) => (laneByJob[name] ?? 'own') === lane),
        concurrency: slots[lane],
        noHandleSignals: true,
        pollInterval: 2000,
        ...(lane === 'own' ? { crontab: timetable } : {}),
      }),
    ),
  )
  return {
    async drain() {
      const client = await pool.connect()
      try {
        await runTaskListOnce(
          shared,
          taskList(deps, pool, () => true),
          client,
        ).promise
      } finally {
        client.release()
      }
    },
    async stop() {
      clearInterval(unlocking)
      await Promise.all(lanes.map((lane) => lane.stop()))
      await lease.stop()
      await pool.end()
    },
  }
}

/**
 * Restarts a runner that ended because it could not store the result of a job, for example after a lost connection.
 */
async function keepRunning(deps: Deps, options: RunnerOptions): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  const { signal } = stopping
  const failed = (error: unknown) => {
    if (!signal.aborted) deps.log.error({ err: error }, 'job queue: it stopped, and is started again')
  }
  let runner = await run(options)
  const watch = async () => {
    for (;;) {
      await runner.promise.catch(failed)
      await delay(restartAfterMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      runner = (await run(options).catch(failed)) ?? runner
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      // `stop` rejects if the runner has ended by itself.
      await runner.stop().catch(() => undefined)
      await watching
    },
  }
}
