/** Jobs that keep the database small and ready. */
import { addMonths } from '@waybill/contract/ground/days'
import { sql } from 'kysely'
import { deleteOldActivity } from '../activity.ts'
import { type Db, tx } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { sweepAccounts } from '../domains/accounts/jobs.ts'
import { sweepAddresses } from '../domains/addresses/jobs.ts'
import { sweepAttachments } from '../domains/attachments/jobs.ts'
import { sweepFailedMails } from '../domains/failed-work/jobs.ts'
import { sweepKeySpending } from '../domains/integrations/api-keys/spend.ts'
import { sweepDeliveries } from '../domains/integrations/webhooks/jobs.ts'
import { sweepNotifications } from '../domains/notifications/jobs.ts'
import { sweepDossiers } from '../domains/orders/dossier/service.ts'
import { sweepBulk } from '../domains/parcels/bulk/jobs.ts'
import { sweepPrintRuns } from '../domains/parcels/labels/print-runs.ts'
import { sweepMissingLoads } from '../domains/parcels/trips/missing.ts'
import { sweepGatewayMessages } from '../domains/payments/gateway/sweep-messages.ts'
import { sweepReportFiles } from '../domains/reports/files/jobs.ts'
import { sweepSheetImports } from '../domains/sheet-imports/jobs.ts'
import { sweepFollows } from '../domains/tracking/following/service.ts'
import { deleteOldKeys } from '../http/idempotency.ts'
import { deleteOldCounts } from '../http/limits/rate-limit.ts'
import { days, later } from '../lib/clock.ts'
import { forEachItem } from './each-item.ts'

const sweeps: readonly ((deps: Deps) => Promise<unknown>)[] = [
  ({ db, clock }) => deleteOldKeys(db, clock.now()),
  ({ db, clock }) => deleteOldCounts(db, clock.now()),
  sweepAccounts,
  sweepNotifications,
  sweepKeySpending,
  sweepDeliveries,
  sweepPrintRuns,
  sweepMissingLoads,
  sweepBulk,
  sweepSheetImports,
  sweepAddresses,
  sweepFollows,
  sweepDossiers,
  sweepReportFiles,
  sweepFailedMails,
  sweepActivity,
  sweepGatewayMessages,
  sweepQueues,
  // Last: it also deletes the files of rows that others have deleted.
  sweepAttachments,
]

/** The job `housekeeping:sweep`: deletes expired rows, so that no table or examined set grows without limit. */
export async function sweep(deps: Deps): Promise<void> {
  await forEachItem(sweeps, (one) => one(deps))
}

async function sweepActivity({ db, clock, settings }: Deps): Promise<void> {
  const until = later(clock.now(), -days(settings.get('retention.activityDays')))
  await deleteOldActivity(db, until)
}

const lockNotAvailable = '55P03'

/**
 * Deletes queues without jobs: there is one for each webhook and account, and graphile-worker keeps them. The lock
 * waits for transactions that have queued a job, because a job whose queue is gone never runs. If they take long, the
 * next run tries again.
 */
async function sweepQueues({ db }: Deps): Promise<void> {
  try {
    await tx(db, async (trx) => {
      await sql`select set_config('lock_timeout', '500ms', true)`.execute(trx)
      await sql`lock table graphile_worker._private_job_queues in share row exclusive mode`.execute(trx)
      await sql`
        delete from graphile_worker._private_job_queues q
        where locked_at is null
          and not exists (select from graphile_worker._private_jobs j where j.job_queue_id = q.id)`.execute(trx)
    })
  } catch (error) {
    if ((error as { code?: unknown }).code !== lockNotAvailable) throw error
  }
}

/** An arbitrary number that no other advisory lock uses. */
const partitionsLock = 7_294_630

/**
 * The job `parcels:ensure-partitions`, which also runs at every start. It creates the partitions of tracking events for
 * this month and the next two.
 */
export async function ensurePartitions(db: Db, now: Date): Promise<void> {
  const months = [0, 1, 2].map((ahead) => `${addMonths(now.toISOString(), ahead)}-01`)
  await tx(db, async (trx) => {
    // Without the lock, processes that start together would both try to create the partition.
    await sql`select pg_advisory_xact_lock(${partitionsLock})`.execute(trx)
    for (const month of months) {
      await sql`select tracking_events_ensure_month(${month}::date)`.execute(trx)
    }
  })
}
