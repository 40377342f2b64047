import type { OutboxHandler } from '../../../outbox/handler.ts'
import { bindToOrder, parcelsOfOrder } from '../../parcels/service.ts'
import { cancelUnpaidOrders, lockUnpaidAmong } from '../queries.ts'

/**
 * Ends unpaid orders that have lost a parcel, and frees those that are left. Nobody could pay them any more, and each
 * would be offered for payment beside the order that follows it.
 */
export const endBrokenCheckouts: OutboxHandler<'checkout.parcel_left'> = async (deps, trx, left) => {
  const orders = await lockUnpaidAmong(
    trx,
    left.map(({ orderId }) => orderId),
  )
  for (const order of orders) {
    const parcels = await parcelsOfOrder(trx, order.id, { lock: true })
    // Made anew meanwhile with all of them, or never without.
    if (parcels.length === order.parcel_count) continue
    await cancelUnpaidOrders(trx, [order.id], deps.clock.now())
    await bindToOrder(trx, parcels, null)
    await deps.outbox.emit(trx, 'order.cancelled', { accountId: order.account_id, orderId: order.id })
  }
}
