/** Cancellation of parcels and orders. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { isCancelled } from '@waybill/contract/ground/status/parcel-status'
import type { Cancellation, cancelOrder, cancelParcels, RefundPreview } from '@waybill/contract/orders/refunds'
import { customerActivity, recordActivity } from '../../../activity.ts'
import { StaleRead, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import type { ParcelRow } from '../../parcels/queries.ts'
import {
  bindToOrder,
  listParcelsOfOrder,
  presentParcelRow,
  readParcelsWithOrders,
  requireCancellable,
} from '../../parcels/service.ts'
import { transitionParcels } from '../../parcels/transition.ts'
import { lockPickups, pickupsWithIds, recountPickups, type Visit } from '../../pickups/service.ts'
import { updateTotal } from '../pay-at-counter/service.ts'
import { findOrder, type OrderRow } from '../queries.ts'
import { isRowDueInStore, paidShare, refundDestination, statusByParcels } from '../rules.ts'
import { cancelUnpaid } from '../unfinished/cancel-unpaid.ts'
import { findOrders, lockOrders, type RefundRow, setOrderStatus } from './queries.ts'
import { notifyCancelled, refundShare } from './service.ts'
import { countPickupsLeft, countSharers, listPickupIds, ordersAndPayers, requireSamePayers } from './shared-visits.ts'

/**
 * Cancels parcels before their handover, all or none, and refunds what was paid, in one transaction. An unpaid order
 * ends with its first cancelled parcel, because its total is void: its other parcels return to the cart, and money
 * that arrives later goes to the wallet. Throws not_found, version_conflict, cancel_after_hand_over,
 * transition_forbidden.
 */
export async function cancelAndRefund(
  deps: Deps,
  caller: CustomerCaller,
  { ids, versions, ...choice }: BodyOf<typeof cancelParcels>,
  idempotency: Idempotency,
): Promise<Cancellation> {
  return tx(deps.db, async (trx) => {
    const cancellation = await lockForCancellation(trx, caller, ids)
    const stale = cancellation.rows.find(({ id, version }) => (versions?.[id] ?? version) !== version)
    if (stale) throw new AppError('version_conflict', { details: { version: stale.version, parcelId: stale.id } })
    const answer = await cancelLocked(deps, trx, caller, cancellation, choice)
    await idempotency.keep(trx, answer)
    return answer
  })
}

type LockedRows = {
  /** The parcels to cancel. */
  rows: ParcelRow[]
  /** The parcels to cancel and the other parcels of their orders. */
  all: ParcelRow[]
  /** The orders of `rows`, and those that paid for `visits`. */
  orders: OrderRow[]
  /** The visits that pick up `rows`. */
  visits: Visit[]
}

/**
 * Locks orders, then parcels, then visits, like checkout and payments; any other order could deadlock. The orders to
 * lock are determined before: if they changed meanwhile, the transaction restarts. Throws not_found.
 */
async function lockForCancellation(trx: Tx, caller: CustomerCaller, ids: readonly string[]): Promise<LockedRows> {
  const orderIds = await ordersAndPayers(trx, caller, ids)
  const orders = await lockOrders(trx, caller.accountId, orderIds)
  const { rows, all } = await readParcelsWithOrders(trx, caller, ids, orderIds, { lock: true })
  const visits = await lockPickups(trx, caller.accountId, listPickupIds(rows))
  await requireSamePayers(trx, caller.accountId, { orderIds, orders, rows, visits }, () => new StaleRead())
  return { orders, rows, all, visits }
}

async function cancelLocked(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  { rows, all, orders, visits }: LockedRows,
  { refundTo, reason }: Pick<BodyOf<typeof cancelParcels>, 'refundTo' | 'reason'>,
): Promise<Cancellation> {
  requireCancellable(rows)
  const by = { actorId: caller.userId }
  const ids = new Set(rows.map(({ id }) => id))
  const ofOrder = (order: OrderRow) => all.filter(({ order_id }) => order_id === order.id)
  const unpaidOrders = orders.filter(({ status }) => status === 'pending_payment')
  await endUnpaidOrders(
    deps,
    trx,
    caller,
    unpaidOrders,
    all.filter(({ id }) => !ids.has(id)),
  )

  const joined = await countSharers(trx, caller.accountId, orders, visits, ids)
  const cancelled = await transitionParcels(deps, trx, rows, 'cancelled', { ...by, note: reason }, () => ({
    amount_due_minor: 0,
  }))
  await recordActivity(trx, customerActivity(caller, 'parcels.cancelled', [...ids], deps.clock.now()))
  const now = new Map([...all, ...cancelled].map((row) => [row.id, row]))
  const refunds: RefundRow[] = []
  for (const order of orders.filter((each) => !unpaidOrders.includes(each))) {
    const share = paidShare(order, ofOrder(order), ids, joined(order))
    if (share.totalMinor === 0) continue
    const destination = refundDestination(order.payment_method, refundTo)
    refunds.push(await refundShare(deps, trx, order, { share, destination, actorId: caller.userId }))
    if (destination === 'card') continue
    // Refunds to the wallet are complete at this point.
    const refunded = share.parcels.flatMap(({ id }) => now.get(id) ?? [])
    for (const row of await transitionParcels(deps, trx, refunded, 'refunded', by)) now.set(row.id, row)
  }
  for (const order of orders.filter((each) => !unpaidOrders.includes(each))) {
    const parcels = ofOrder(order).flatMap(({ id }) => now.get(id) ?? [])
    const remaining = parcels.filter((row) => !isCancelled(row.status))
    // Lists, limits and reports show what is still to be paid at the counter.
    if (isRowDueInStore(order) && remaining.length > 0) await updateTotal(deps, trx, order, remaining)
    const status = statusByParcels(parcels)
    if (status !== order.status) await setOrderStatus(trx, order, status, deps.clock.now())
  }
  await recountPickups(deps, trx, caller.accountId, await countPickupsLeft(trx, visits))
  // An order that only paid for the visit is listed only if its fee is refunded.
  const touched = orders.filter(
    ({ id }) => rows.some(({ order_id }) => order_id === id) || refunds.some(({ order_id }) => order_id === id),
  )
  if (touched.length > 0) await notifyCancelled(deps, trx, { userId: caller.userId, rows, orders: touched, refunds })
  return {
    items: rows.flatMap(({ id }) => now.get(id) ?? []).map((row) => presentParcelRow(deps, row, caller)),
    refunds: refunds.map(presentRefund),
  }
}

/** Ends unpaid orders: their remaining parcels return to the cart, and their gateway payments are followed up. */
export async function endUnpaidOrders(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  unpaidOrders: readonly OrderRow[],
  others: readonly ParcelRow[],
): Promise<void> {
  if (unpaidOrders.length === 0) return
  const cancelledIds = new Set(await cancelUnpaid(deps, trx, unpaidOrders))
  const orphans = others.filter(({ order_id }) => order_id !== null && cancelledIds.has(order_id))
  const waiting = orphans.filter(({ status }) => status === 'pending_payment')
  await transitionParcels(deps, trx, waiting, 'checkout_abandoned', { actorId: caller.userId })
  await bindToOrder(trx, orphans, null)
}

function presentRefund(row: RefundRow): Cancellation['refunds'][number] {
  return {
    id: row.id,
    orderId: row.order_id,
    destination: row.destination,
    status: row.status,
    currency: row.currency,
    amountMinor: row.amount_minor,
  }
}

/**
 * Cancels an order or some of its parcels. Without a list it cancels what remains under the lock: parcels that were
 * cancelled meanwhile do not block the rest. Throws the errors of `cancel`; not_found for parcels of another order,
 * order_closed if nothing is left.
 */
export async function cancelWholeOrder(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  { parcelIds, ...choice }: BodyOf<typeof cancelOrder>,
  idempotency: Idempotency,
): Promise<Cancellation> {
  return tx(deps.db, async (trx) => {
    const order = await findOrder(trx, caller.accountId, orderId, onlyCreatedBy(caller))
    if (!order) throw new AppError('not_found')
    const parcels = await listParcelsOfOrder(trx, orderId, { lock: false })
    if (parcelIds?.some((id) => !parcels.some((parcel) => parcel.id === id))) throw new AppError('not_found')
    const ids = parcelIds ?? parcels.filter(({ status }) => !isCancelled(status)).map(({ id }) => id)
    const cancellation = await lockForCancellation(trx, caller, ids)
    const rows = parcelIds
      ? cancellation.rows
      : cancellation.rows.filter(({ order_id, status }) => order_id === orderId && !isCancelled(status))
    const { status } = cancellation.orders.find(({ id }) => id === orderId) ?? order
    if (rows.length === 0) throw new AppError('order_closed', { details: { status } })
    const answer = await cancelLocked(deps, trx, caller, { ...cancellation, rows }, choice)
    await idempotency.keep(trx, answer)
    return answer
  })
}

/** The refund for cancelling these parcels now. Throws the errors of `cancel`. */
export async function previewCancellation(
  deps: Deps,
  caller: CustomerCaller,
  ids: readonly string[],
): Promise<RefundPreview> {
  const orderIds = await ordersAndPayers(deps.db, caller, ids)
  const orders = await findOrders(deps.db, caller.accountId, orderIds)
  const { rows, all } = await readParcelsWithOrders(deps.db, caller, ids, orderIds, { lock: false })
  requireCancellable(rows)
  const cancelIds = new Set(ids)
  const visits = await pickupsWithIds(deps.db, caller.accountId, listPickupIds(rows))
  const locked = { orderIds, orders, rows, visits }
  await requireSamePayers(deps.db, caller.accountId, locked, () => new AppError('version_conflict'))
  const joined = await countSharers(deps.db, caller.accountId, orders, visits, cancelIds)
  const shares = orders
    .filter(({ status }) => status !== 'pending_payment')
    .map((order) => ({
      destination: refundDestination(order.payment_method, 'card'),
      ...paidShare(
        order,
        all.filter(({ order_id }) => order_id === order.id),
        cancelIds,
        joined(order),
      ),
    }))
  const sum = (of: typeof shares) => of.reduce((total, { totalMinor }) => total + totalMinor, 0)
  return {
    currency: deps.settings.get('currency'),
    refundMinor: sum(shares),
    pickupMinor: shares.reduce((total, { pickupMinor }) => total + pickupMinor, 0),
    keptPickupMinor: shares.reduce((total, { keptPickupMinor }) => total + keptPickupMinor, 0),
    cardMinor: sum(shares.filter(({ destination }) => destination === 'card')),
    receivableMinor: sum(shares.filter(({ destination }) => destination === 'receivable')),
  }
}
