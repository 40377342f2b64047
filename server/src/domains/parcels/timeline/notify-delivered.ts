/** Notifies senders that their parcels were delivered. */
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { findReaderIds, notify } from '../../notifications/notify.ts'

/** A note on a delivered parcel has the same status, so only these events count. */
const deliveries: readonly string[] = ['delivered', 'handed_over']

/** One notification per reader, however many parcels; notifications within a few minutes are merged. */
export const notifyDelivered: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const delivered = moves.filter(({ event, leg }) => deliveries.includes(event) && leg === 'outbound')
  if (delivered.length === 0) return
  const readerIds = await findReaderIds(
    trx,
    delivered.map(({ createdBy }) => createdBy),
  )
  const byReader = Map.groupBy(delivered, ({ createdBy }) => readerIds.get(createdBy) ?? createdBy)
  // In a fixed order: each reader's notification is locked until the transaction ends, so another order could deadlock.
  for (const [readerId, parcels] of [...byReader].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await notify(deps, trx, {
      kind: 'parcel_delivered',
      to: { users: [readerId] },
      subjectId: parcels[0]?.parcelId,
      items: parcels.length,
      facts: { number: parcels[0]?.trackingNumber ?? '' },
    })
  }
}
