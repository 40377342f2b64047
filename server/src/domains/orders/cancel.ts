import type { BodyOf } from '@waybill/contract/endpoint'
import type { Cancellation, cancelOrder, cancelParcels, RefundPreview } from '@waybill/contract/refunds'
import { type Tx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import {
  bindToOrder,
  moveParcels,
  ordersOfParcels,
  type ParcelRow,
  parcelsOfOrder,
  parcelsWithOrders,
  presentParcels,
  refuseUnlessCancellable,
  visibleBy,
} from '../parcels/service.ts'
import { parcelsTakenOff } from '../pickups/service.ts'
import { cancelUnpaid, findOrder, type OrderRow } from './queries.ts'
import { lockOrders, ordersByIds, type RefundRow, setOrderStatus } from './queries-refunds.ts'
import { giveBack, tellCancelled } from './refunds.ts'
import { destinationOf, shareOf, statusByParcels } from './rules.ts'

type Wanted = BodyOf<typeof cancelParcels>

/**
 * Cancels parcels before hand-over, all or none, and gives back what was paid for them, in one transaction: orders are locked first, then the parcels, then the wallet, as by
 * checkout and payments, so that whoever comes second finds what the first has left. An order that waits for its payment ends with its first parcel, since its total holds no
 * longer; what else was in it is back in the cart, and money that the gateway has after all goes to the wallet.
 * Throws not_found, version_conflict, cancel_after_hand_over, transition_forbidden.
 */
export async function cancel(
  deps: Deps,
  caller: CustomerCaller,
  wanted: Wanted,
  idempotency: Idempotency,
): Promise<Cancellation> {
  return tx(deps.db, async (trx) => {
    const orderIds = await ordersOfParcels(trx, wanted.ids)
    const orders = await lockOrders(trx, caller.accountId, orderIds)
    const known = orders.map(({ id }) => id)
    const { wanted: rows, all } = await parcelsWithOrders(trx, caller, wanted.ids, known, { lock: true })
    const stale = rows.find(({ id, version }) => (wanted.versions?.[id] ?? version) !== version)
    if (stale) throw new AppError('version_conflict', { details: { version: stale.version, parcelId: stale.id } })
    refuseUnlessCancellable(rows)
    const answer = await cancelLocked(deps, trx, caller, { ...wanted, rows, all, orders })
    await idempotency.keep(trx, answer)
    return answer
  })
}

type Locked = Pick<Wanted, 'refundTo' | 'reason'> & { rows: ParcelRow[]; all: ParcelRow[]; orders: OrderRow[] }

async function cancelLocked(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  { rows, all, orders, refundTo, reason }: Locked,
): Promise<Cancellation> {
  const by = { actorId: caller.userId }
  const ids = new Set(rows.map(({ id }) => id))
  const ofOrder = (order: OrderRow) => all.filter(({ order_id }) => order_id === order.id)
  const unpaid = orders.filter(({ status }) => status === 'pending_payment')
  await endUnpaidOrders(
    deps,
    trx,
    caller,
    unpaid,
    all.filter(({ id }) => !ids.has(id)),
  )

  const cancelled = await moveParcels(deps, trx, rows, 'cancelled', { ...by, note: reason }, () => ({
    amount_due_minor: 0,
  }))
  const now = new Map([...all, ...cancelled].map((row) => [row.id, row]))
  const refunds: RefundRow[] = []
  for (const order of orders.filter((each) => !unpaid.includes(each))) {
    const share = shareOf(order, ofOrder(order), ids)
    if (share.totalMinor === 0) continue
    const destination = destinationOf(order.payment_method, refundTo)
    refunds.push(await giveBack(deps, trx, order, { share, destination, actorId: caller.userId }))
    if (destination === 'card') continue
    // Whatever goes back at once is given back already.
    const refunded = share.parcels.flatMap(({ id }) => now.get(id) ?? [])
    for (const row of await moveParcels(deps, trx, refunded, 'refunded', by)) now.set(row.id, row)
  }
  for (const order of orders.filter((each) => !unpaid.includes(each))) {
    const status = statusByParcels(ofOrder(order).flatMap(({ id }) => now.get(id) ?? []))
    if (status !== order.status) await setOrderStatus(trx, order, status, deps.clock.now())
  }
  await parcelsTakenOff(deps, trx, caller.accountId, pickupsLeft(rows, [...now.values()]))
  if (orders.length > 0) await tellCancelled(deps, trx, { userId: caller.userId, rows, orders, refunds })
  return {
    items: presentParcels(
      deps,
      rows.flatMap(({ id }) => now.get(id) ?? []),
      caller,
    ),
    refunds: refunds.map(presentRefund),
  }
}

/** Orders whose payment is not in: they end, the parcels that stay go back to the cart, and their gateway payments are looked after. */
export async function endUnpaidOrders(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  unpaid: readonly OrderRow[],
  others: readonly ParcelRow[],
): Promise<void> {
  if (unpaid.length === 0) return
  const ended = new Set(
    await cancelUnpaid(
      trx,
      unpaid.map(({ id }) => id),
      deps.clock.now(),
    ),
  )
  const left = others.filter(({ order_id }) => order_id !== null && ended.has(order_id))
  const waiting = left.filter(({ status }) => status === 'pending_payment')
  await moveParcels(deps, trx, waiting, 'checkout_abandoned', { actorId: caller.userId })
  await bindToOrder(trx, left, null)
  const told = unpaid.map(({ id, account_id }) => ({ accountId: account_id, orderId: id }))
  await deps.outbox.emit(trx, 'order.cancelled', ...told)
}

/** How many parcels each pickup of these has left. */
function pickupsLeft(cancelled: readonly ParcelRow[], all: readonly ParcelRow[]): Map<string, number> {
  const left = new Map(cancelled.flatMap((row) => (row.pickup_request_id ? [[row.pickup_request_id, 0]] : [])))
  for (const { pickup_request_id: pickup, status } of all) {
    const before = pickup === null ? undefined : left.get(pickup)
    if (pickup !== null && before !== undefined && status !== 'cancel' && status !== 'refunded')
      left.set(pickup, before + 1)
  }
  return left
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

/** Cancels an order, whole or some of its parcels. Throws what `cancel` throws; not_found for parcels of another order. */
export async function cancelWholeOrder(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  { parcelIds, reason, refundTo }: BodyOf<typeof cancelOrder>,
  idempotency: Idempotency,
): Promise<Cancellation> {
  const order = await findOrder(deps.db, caller.accountId, orderId, visibleBy(caller))
  if (!order) throw new AppError('not_found')
  const parcels = await parcelsOfOrder(deps.db, orderId, { lock: false })
  const known = new Set(parcels.map(({ id }) => id))
  if (parcelIds?.some((id) => !known.has(id))) throw new AppError('not_found')
  // Whole means what is still there: parcels that were cancelled before don't stand in the way of the others.
  const there = parcels.filter(({ status }) => status !== 'cancel' && status !== 'refunded').map(({ id }) => id)
  const ids = parcelIds ?? there
  if (ids.length === 0) throw new AppError('order_closed', { details: { status: order.status } })
  return cancel(deps, caller, { ids, reason, refundTo }, idempotency)
}

/** What cancelling these parcels now would give back. Throws what `cancel` throws for them. */
export async function previewCancellation(
  deps: Deps,
  caller: CustomerCaller,
  ids: readonly string[],
): Promise<RefundPreview> {
  const orderIds = await ordersOfParcels(deps.db, ids)
  const orders = await ordersByIds(deps.db, caller.accountId, orderIds)
  const known = orders.map(({ id }) => id)
  const { wanted, all } = await parcelsWithOrders(deps.db, caller, ids, known, { lock: false })
  refuseUnlessCancellable(wanted)
  const named = new Set(ids)
  const shares = orders
    .filter(({ status }) => status !== 'pending_payment')
    .map((order) => ({
      destination: destinationOf(order.payment_method, 'card'),
      ...shareOf(
        order,
        all.filter(({ order_id }) => order_id === order.id),
        named,
      ),
    }))
  const sum = (of: typeof shares) => of.reduce((total, { totalMinor }) => total + totalMinor, 0)
  return {
    currency: deps.settings.get('currency'),
    refundMinor: sum(shares),
    pickupMinor: shares.reduce((total, { pickupMinor }) => total + pickupMinor, 0),
    cardMinor: sum(shares.filter(({ destination }) => destination === 'card')),
    receivableMinor: sum(shares.filter(({ destination }) => destination === 'receivable')),
  }
}
