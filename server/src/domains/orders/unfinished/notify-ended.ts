/** Live events about unpaid orders that have ended, so that no open screen offers them for payment. */
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { accountTopic } from '../../../http/live.ts'
import type { OutboxEvents } from '../../../outbox/outbox.ts'

/** Notifies the open screens of the accounts of these orders. Also a subscriber of `order.cancelled`. */
export async function notifyOrdersEnded(
  deps: Deps,
  trx: DbOrTx,
  orders: readonly OutboxEvents['order.cancelled'][],
): Promise<void> {
  const messages = orders.map(({ accountId, orderId }) => ({
    topic: accountTopic(accountId),
    data: { type: 'order', id: orderId },
  }))
  await deps.live.publishAll(trx, messages)
}
