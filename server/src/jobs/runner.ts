/** Runs the queued jobs with graphile-worker. */
import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import {
  Logger,
  type Runner,
  type RunnerOptions,
  run,
  runTaskListOnce,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import type pg from 'pg'
import { createPool } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { maskAddresses } from '../lib/text/log-fields.ts'
import type { JobOutcome } from '../metrics/metrics.ts'
import { crontab, timedJobs } from './cron.ts'
import { type JobName, type JobRun, type Jobs, PermanentJobError } from './jobs.ts'
import { type JobLease, openJobLease } from './lease.ts'
import { type Tasks, tasks } from './tasks.ts'

export type JobRunner = {
  /** Runs every due job and waits for it; for tests and tools. */
  drain(): Promise<void>
  /** Waits for running jobs, within a limit. False if some still run. */
  stop(): Promise<boolean>
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
/** How long stopping waits for running jobs. The end of the lease lets another process run the rest again. */
const finishLimitMs = 15_000

function taskList(deps: Deps, queuePool: pg.Pool, isWanted: (name: JobName) => boolean): TaskList {
  const names = (Object.keys(tasks) as JobName[]).filter(isWanted)
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (payload, { job }) => {
        // The queue returns the payload that `addJob` stored.
        await runTask(deps, name, payload as Jobs[typeof name], {
          id: job.id,
          createdAt: job.created_at,
          attempt: job.attempts,
        }).catch(async (error: unknown) => {
          if (error instanceof PermanentJobError) await endAttempts(queuePool, job.id)
          // The queue stores the message, and staff see it.
          if (error instanceof Error) error.message = maskAddresses(error.message)
          throw error
        })
        if (timedJobs.includes(name)) await forgetFailures(queuePool, name, job.id)
      },
    ]),
  )
}

async function runTask<N extends JobName>(deps: Deps, name: N, payload: Jobs[N], job: JobRun): Promise<void> {
  const task: Tasks[N] = tasks[name]
  const begin = performance.now()
  let outcome: JobOutcome = 'failed'
  try {
    outcome = (await task?.(deps, payload, job)) === 'dropped' ? 'dropped' : 'succeeded'
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
  // `meta` contains the payload, which is personal data, so only the message is logged. It has the error's stack, in
  // which a mail server may quote an address.
  return new Logger(() => (level, unmaskedMessage) => {
    const message = maskAddresses(unmaskedMessage)
    if (level === 'error') deps.log.error(message)
    else if (level === 'warning') deps.log.warn(message)
    else deps.log.debug(message)
  })
}

/** Takes the lock before the first job, or another process could take this pool for abandoned. */
const holdingLease = (lease: JobLease): NonNullable<RunnerOptions['preset']>['plugins'] => [
  {
    name: 'waybill-lease',
    worker: { hooks: { startWorker: async (_context, { worker }) => lease.hold(worker.workerPool.id) } },
  },
]

/**
 * graphile-worker handles an error while it stores a result only if it collects results. Otherwise the error is an
 * unhandled rejection, which ends the process. Zero milliseconds collect only results of the same moment.
 */
const handledResults = { completeJobBatchDelay: 0, failJobBatchDelay: 0 }

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
  const plugins = holdingLease(lease)
  const shared = { pgPool: pool, logger: logger(deps), noPreparedStatements: false }
  const unlockAbandoned = async () => {
    const count = await lease.unlockAbandoned()
    if (count > 0) deps.log.warn(`job queue: ${count} jobs of ended processes are tried again`)
  }
  const releasePool = (poolId: string) => {
    lease.release(poolId)
    return unlockAbandoned()
  }
  const unlock = () =>
    unlockAbandoned().catch((error: unknown) =>
      deps.log.warn({ err: error }, 'job queue: abandoned jobs could not be looked for'),
    )
  void unlock()
  const unlocking = setInterval(unlock, unlockEveryMs)
  unlocking.unref()
  const lanes = await Promise.all(
    (Object.keys(slots) as Lane[]).map((lane) =>
      keepRunning(deps, releasePool, {
        ...shared,
        preset: { plugins, worker: handledResults },
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
          { ...shared, preset: { plugins } },
          taskList(deps, pool, () => true),
          client,
        ).promise
      } finally {
        client.release()
      }
    },
    async stop() {
      clearInterval(unlocking)
      const ending = Promise.all(lanes.map((lane) => lane.stop())).then(() => true)
      const ended = await Promise.race([ending, delay(finishLimitMs, false, { ref: false })])
      if (!ended) deps.log.warn('job queue: jobs still run; another process will run them again')
      await lease.stop()
      const closing = pool.end()
      // Connections of jobs that still run end with the process.
      if (ended) await closing
      return ended
    },
  }
}

type LaneRun = {
  runner: Runner
  /** Resolves with the pool's name once none of its jobs runs any more. */
  ended: Promise<string>
}

async function startLane(options: RunnerOptions): Promise<LaneRun> {
  const events: WorkerEvents = new EventEmitter()
  // The runner's own promise may never settle after a result could not be stored.
  const ended = new Promise<string>((resolve) => {
    for (const name of ['pool:gracefulShutdown:complete', 'pool:gracefulShutdown:error'] as const)
      events.on(name, ({ workerPool }) => resolve(workerPool.id))
  })
  return { runner: await run({ ...options, events }), ended }
}

/**
 * Restarts a lane that ended because it could not take a job or store a result, for example after a lost connection.
 * `releasePool` makes the unfinished jobs of its pool available again.
 */
async function keepRunning(
  deps: Deps,
  releasePool: (poolId: string) => Promise<void>,
  options: RunnerOptions,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  const { signal } = stopping
  let lane = await startLane(options)
  // `stop` of a runner rejects if it has ended by itself.
  const stopLane = () => lane.runner.stop().catch(() => undefined)
  const restart = async (poolId: string) => {
    try {
      await releasePool(poolId)
      lane = await startLane(options)
      return true
    } catch (error) {
      deps.log.error({ err: error }, 'job queue: a lane could not be started')
      return false
    }
  }
  const watch = async () => {
    for (;;) {
      const poolId = await lane.ended
      if (!signal.aborted) deps.log.error('job queue: a lane ended, and is started again')
      await stopLane()
      do {
        await delay(restartAfterMs, undefined, { signal }).catch(() => undefined)
        if (signal.aborted) return
      } while (!(await restart(poolId)))
      if (signal.aborted) await stopLane()
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      await stopLane()
      await watching
    },
  }
}
