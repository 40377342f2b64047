// Notices of lost parcels that a station has found.
import { undoSeconds } from '@waybill/contract/parcels/scanning'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { addJob, type Jobs } from '../../../jobs/jobs.ts'
import { later, seconds } from '../../../lib/clock.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { notify } from '../../notifications/notify.ts'
import { lockParcelById } from '../queries.ts'

/**
 * Queues a job for each found parcel. It runs when the scan can no longer be undone, so that nobody is notified about
 * a parcel that was scanned by mistake. A parcel that is found again before that has one job.
 */
export const queueFound: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const runAt = later(deps.clock.now(), seconds(undoSeconds))
  for (const { parcelId, fromStatus, event } of moves) {
    if (fromStatus !== 'lost' || event !== 'arrived') continue
    await addJob(trx, 'parcels:report-found', { parcelId }, { key: `parcels:report-found ${parcelId}`, runAt })
  }
}

/** The job that reports a found parcel, unless the scan was undone and it is still lost. */
export async function reportFound(deps: Deps, { parcelId }: Jobs['parcels:report-found']): Promise<void> {
  await tx(deps.db, async (trx) => {
    const parcel = await lockParcelById(trx, parcelId)
    if (!parcel || parcel.status === 'lost') return
    const { created_by: createdBy, tracking_number: trackingNumber } = parcel
    await deps.outbox.emit(trx, 'parcel.found', { parcelId, createdBy, trackingNumber })
  })
}

/** Notifies the senders of found parcels. */
export const notifyFound: OutboxHandler<'parcel.found'> = async (deps, trx, parcels) => {
  for (const { createdBy, parcelId, trackingNumber } of parcels) {
    await notify(deps, trx, {
      kind: 'parcel_found',
      to: { users: [createdBy] },
      subjectId: parcelId,
      facts: { number: trackingNumber },
    })
  }
}
