/** Schedules the deliveries of a webhook. */
import type { DbOrTx } from '../../../db/pool.ts'
import { addJob } from '../../../jobs/jobs.ts'
import type { WebhookRow } from './queries.ts'

/**
 * Queues the job that delivers what is due, but not before the receiver may be called again. A webhook has one waiting
 * job and at most one running job, so its deliveries are made one after the other. Failing receivers use separate job
 * slots, so that time-outs delay only them.
 */
export async function scheduleDelivery(
  trx: DbOrTx,
  { id, failures, retry_at }: Pick<WebhookRow, 'id' | 'failures' | 'retry_at'>,
  at: Date,
): Promise<void> {
  const runAt = retry_at !== null && retry_at > at ? retry_at : at
  const queue = `webhook ${id}`
  await addJob(
    trx,
    failures > 0 ? 'webhooks:retry' : 'webhooks:deliver',
    { webhookId: id },
    { runAt, key: queue, queue },
  )
}
