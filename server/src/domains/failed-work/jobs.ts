/** The report on failed work. */
import type { Locale } from '@waybill/contract/ground/constants'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { timedJobs } from '../../jobs/cron.ts'
import { addJob } from '../../jobs/jobs.ts'
import { staffWhoMay } from '../accounts/staff/staff-who-may.ts'
import { takeUnreportedFailures } from './queries.ts'

/** The job `failed-work:tell`: mails staff who may see failed work about new failures. */
export async function notifyFailedWork(deps: Deps): Promise<void> {
  await tx(deps.db, async (trx) => {
    const at = deps.clock.now()
    const failures = await takeUnreportedFailures(trx, { at, timedJobs })
    if (failures.length === 0) return
    const list = failures.map(({ name, failures: count }) => `${name}: ${count}`).join('\n')
    for (const { email, name, language } of await staffWhoMay(trx, 'staff.logs')) {
      await addJob(trx, 'mail:send', {
        to: email,
        template: 'failed_work',
        locale: language as Locale,
        vars: { name, list, url: `${deps.config.http.publicUrl}/staff/failed-work` },
      })
    }
  })
}
