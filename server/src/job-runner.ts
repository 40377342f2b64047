import { Logger, run, runTaskListOnce, type TaskList } from 'graphile-worker'
import type { Deps } from './deps.ts'
import { tasks } from './job-tasks.ts'

export type JobRunner = {
  /** Runs what is due now and waits for it; for tests and tools. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/** How many jobs this process works on at once. */
const concurrency = 4

function taskList(deps: Deps): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(deps, payload as never)]),
  )
}

function logger(deps: Deps): Logger {
  // `meta` has the job with its payload, which is personal: the message says enough.
  return new Logger(() => (level, message) => {
    if (level === 'error') deps.log.error(message)
    else if (level === 'warning') deps.log.warn(message)
    else deps.log.debug(message)
  })
}

/** Works on queued jobs until stopped. A job that fails is tried again with exponential back-off by graphile-worker. */
export async function startJobs(deps: Deps, crontab: string = cronItems): Promise<JobRunner> {
  const shared = { pgPool: deps.pool, taskList: taskList(deps), logger: logger(deps), noPreparedStatements: false }
  const runner = await run({ ...shared, concurrency, noHandleSignals: true, pollInterval: 2000, crontab })
  return {
    async drain() {
      const client = await deps.pool.connect()
      try {
        await runTaskListOnce(shared, shared.taskList, client).promise
      } finally {
        client.release()
      }
    },
    async stop() {
      await runner.stop()
    },
  }
}

/** What runs by the clock (UTC). */
const cronItems = [
  '* * * * * orders:expire',
  '* * * * * parcels:book-carriers',
  '* * * * * parcels:track-carriers',
  '*/10 * * * * parcels:weights-accepted',
  '5,35 * * * * parcels:undelivered',
  '11 * * * * parcels:collection-days',
  '20 * * * * parcels:tell-stuck',
  '0 3 * * * parcels:ensure-partitions',
  '17 * * * * housekeeping:sweep',
  '40 19 * * * wallet:trial-balance',
  '10 17 * * * orders:statements',
  '25 1 * * * payments:cod-payout',
].join('\n')
