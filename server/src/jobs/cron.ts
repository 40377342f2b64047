/** The timetable of the scheduled jobs. */
import type { JobName } from './jobs.ts'

/**
 * Scheduled jobs (UTC), with their maximum number of attempts. A job that runs again within minutes is not retried in
 * between. A failure stays in the list of failed work until a later run succeeds. `catchUp`: how long after its time a
 * run is made up for if no process was running then; others need none, because they run again soon. Ten attempts take
 * less than four hours, so a failed daily job is listed before its next run resets the number of attempts.
 */
const timetable: Partial<Record<JobName, readonly [when: string, tries: number, catchUp?: string]>> = {
  'notifications:deliver': ['* * * * *', 1],
  'orders:expire': ['* * * * *', 1],
  'parcels:book-carriers': ['* * * * *', 1],
  'parcels:track-carriers': ['* * * * *', 1],
  'dashboard:add-up': ['* * * * *', 1],
  'failed-work:tell': ['*/10 * * * *', 1],
  'parcels:weights-accepted': ['*/10 * * * *', 3],
  'parcels:undelivered': ['5,35 * * * *', 5],
  'parcels:collection-days': ['11 * * * *', 5],
  'parcels:tell-stuck': ['20 * * * *', 5],
  'parcels:ensure-partitions': ['0 3 * * *', 10, '1d'],
  'tickets:deadlines': ['26 * * * *', 5],
  'housekeeping:sweep': ['17 * * * *', 5],
  'wallet:trial-balance': ['40 19 * * *', 10, '1d'],
  'orders:statements': ['10 17 * * *', 10, '1d'],
  'payments:cod-payout': ['25 1 * * *', 10, '1d'],
}

/** Names of the scheduled jobs. */
export const timedJobs = Object.keys(timetable)

/**
 * The timetable in graphile-worker's format. The queue name allows one active run per job, the job key one waiting
 * run, so that a hanging run does not fill the slots.
 */
export const crontab = Object.entries(timetable)
  .map(([name, [when, tries, catchUp]]) => {
    const fill = catchUp === undefined ? '' : `&fill=${catchUp}`
    return `${when} ${name} ?queue=${name}&jobKey=${name}&max=${tries}${fill}`
  })
  .join('\n')
