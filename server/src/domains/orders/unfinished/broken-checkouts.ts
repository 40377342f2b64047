/** Unpaid orders that lost a parcel. */
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { bindToOrder, listParcelsOfOrder } from '../../parcels/service.ts'
import { lockUnpaidAmong } from '../queries.ts'
import { cancelUnpaid } from './cancel-unpaid.ts'

/**
 * Ends unpaid orders that lost a parcel, and frees the remaining ones. Such an order can no longer be paid, and would
 * be shown in addition to the order that replaces it.
 */
export const endBrokenCheckouts: OutboxHandler<'checkout.parcel_left'> = async (deps, trx, departures) => {
  const orders = await lockUnpaidAmong(
    trx,
    departures.map(({ orderId }) => orderId),
  )
  for (const order of orders) {
    const parcels = await listParcelsOfOrder(trx, order.id, { lock: true })
    // Complete: the parcel came back, or never left.
    if (parcels.length === order.parcel_count) continue
    await cancelUnpaid(deps, trx, [order])
    await bindToOrder(trx, parcels, null)
  }
}
