/** The end of unpaid orders, for whatever reason. */
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { cancelUnpaidOrders, type OrderRow } from '../queries.ts'

/**
 * Cancels those of these orders that are still unpaid, with the event for payments in progress, webhooks and open
 * screens. Returns their ids.
 */
export async function cancelUnpaid(
  deps: Deps,
  trx: DbOrTx,
  orders: readonly Pick<OrderRow, 'id' | 'account_id'>[],
): Promise<string[]> {
  const ids = orders.map(({ id }) => id)
  const cancelledIds = await cancelUnpaidOrders(trx, ids, deps.clock.now())
  const cancelled = orders.flatMap(({ id, account_id }) =>
    cancelledIds.includes(id) ? { accountId: account_id, orderId: id } : [],
  )
  await deps.outbox.emit(trx, 'order.cancelled', ...cancelled)
  return cancelledIds
}
