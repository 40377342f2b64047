/** The report on failed work, and the deletion of mails that can no longer be sent. */
import { recordActivity } from '../../activity.ts'
import { deleteInBatches } from '../../db/batches.ts'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { timedJobs } from '../../jobs/cron.ts'
import { days, later } from '../../lib/clock.ts'
import { notify } from '../notifications/notify.ts'
import { deleteFailedMails, takeUnreportedFailures } from './queries.ts'

/** The job `failed-work:tell`: mails staff who may see failed work about new failures. */
export async function notifyFailedWork(deps: Deps): Promise<void> {
  await tx(deps.db, async (trx) => {
    const at = deps.clock.now()
    const failures = await takeUnreportedFailures(trx, { at, timedJobs })
    if (failures.length === 0) return
    await recordActivity(
      trx,
      ...failures.map(({ name, failures: count }) => ({
        action: 'jobs.failed',
        level: 'ERROR' as const,
        subject: name,
        detail: { count },
        at,
      })),
    )
    const list = failures.map(({ name, failures: count }) => `${name}: ${count}`).join('\n')
    await notify(deps, trx, { kind: 'failed_work', to: { staff: 'staff.logs' }, facts: { list } })
  })
}

/**
 * How long staff may retry a failed mail. Its codes and links have expired by then, and its address is personal data.
 */
const failedMailsLiveMs = days(30)

/** Deletes failed mails after thirty days; part of the housekeeping job. */
export async function sweepFailedMails(deps: Deps): Promise<void> {
  const before = later(deps.clock.now(), -failedMailsLiveMs)
  await deleteInBatches((limit) => deleteFailedMails(deps.db, before, limit))
}
