/** When the deliveries of a webhook are made. */
import type { DbOrTx } from '../../../db/pool.ts'
import { addJob } from '../../../jobs/jobs.ts'
import type { WebhookRow } from './queries.ts'

/**
 * Queues the job that delivers what is due, not before the receiver may be called again. A webhook has one job that
 * waits, and one at most runs: its deliveries are made one after the other. The jobs of failing receivers have slots of
 * their own, so that time-outs delay only them.
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
