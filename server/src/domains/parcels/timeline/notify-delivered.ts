/** Notifies senders that their parcels were delivered. */
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { notify } from '../../notifications/notify.ts'

/** One notification per sender, however many parcels; notifications within a few minutes are merged. */
export const notifyDelivered: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const delivered = moves.filter(({ trackingStatus, leg }) => trackingStatus === 'delivered' && leg === 'outbound')
  const bySender = Map.groupBy(delivered, ({ createdBy }) => createdBy)
  // In a fixed order: each sender's notification is locked until the transaction ends, so another order could deadlock.
  for (const [createdBy, parcels] of [...bySender].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await notify(deps, trx, {
      kind: 'parcel_delivered',
      to: { users: [createdBy] },
      subjectId: parcels[0]?.parcelId,
      items: parcels.length,
      facts: { number: parcels[0]?.trackingNumber ?? '' },
    })
  }
}
