/** Checkouts that were not paid. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { pendingCheckouts } from '@waybill/contract/orders/checkout'
import { customerActivity, recordActivity } from '../../../activity.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import { listParcelsOfOrders } from '../../parcels/service.ts'
import { presentOrder } from '../present.ts'
import { lockUnpaidOrders, summarizeUnpaidOrders } from '../queries.ts'
import { listOrderRows } from '../queries-list.ts'
import { endUnpaidOrders } from '../refunds/cancel.ts'
import { orderFilter } from '../rules.ts'

/** Unpaid orders, newest first. A member without parcels.view_all sees only their own. */
export async function listPendingOrders(
  deps: Deps,
  caller: CustomerCaller,
  { offset, limit }: QueryOf<typeof pendingCheckouts>,
): Promise<ResponseOf<typeof pendingCheckouts>> {
  const filter = orderFilter({ status: 'pending_payment' }, onlyCreatedBy(caller), deps.settings.get('timezone'))
  const page = { sort: [], offset, limit }
  const { rows, total } = await listOrderRows(deps.db, caller.accountId, { ...filter, ...page })
  return { items: rows.map(presentOrder), total, offset, limit }
}

/** How many checkouts the caller sees that can be paid, and when the first of them expires. */
export async function summarizeUnpaid(
  db: DbOrTx,
  caller: CustomerCaller,
): Promise<{ orders: number; firstExpiry: Date | null }> {
  return summarizeUnpaidOrders(db, caller.accountId, onlyCreatedBy(caller))
}

/**
 * Cancels unpaid orders, all that the caller sees or those in `ids`. Their parcels return to the cart, and pending
 * gateway payments are followed up (docs/decisions/0007). Throws not_found, without any change, if one of `ids` is not
 * the caller's or not pending.
 */
export async function abandonPending(
  deps: Deps,
  caller: CustomerCaller,
  ids: readonly string[] | undefined,
): Promise<{ orderIds: string[]; parcelIds: string[] }> {
  return tx(deps.db, async (trx) => {
    const own = onlyCreatedBy(caller)
    const unpaidOrders = (await lockUnpaidOrders(trx, caller.accountId)).filter(
      (order) => (own === null || order.created_by === own) && (!ids || ids.includes(order.id)),
    )
    if (ids && unpaidOrders.length !== new Set(ids).size) throw new AppError('not_found')
    const orderIds = unpaidOrders.map(({ id }) => id)
    const parcels = await listParcelsOfOrders(trx, orderIds, { lock: true })
    await endUnpaidOrders(deps, trx, caller, unpaidOrders, parcels)
    const numbers = unpaidOrders.map(({ number }) => number)
    if (numbers.length > 0)
      await recordActivity(trx, customerActivity(caller, 'orders.abandoned', numbers, deps.clock.now()))
    return { orderIds, parcelIds: parcels.map(({ id }) => id) }
  })
}
