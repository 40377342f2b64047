/** The common part of all payments: checks and locks an order, and releases its parcels once it is paid. */
import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'
import { formatDate, formatTime } from '@waybill/contract/ground/format'
import { checkoutStatuses } from '@waybill/contract/ground/status/parcel-status'
import type { RawBuilder } from 'kysely'
import { inBatches } from '../../db/batches.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Write } from '../../db/writes.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { forEachItem } from '../../jobs/each-item.ts'
import { dayIn } from '../../lib/clock.ts'
import { inBothLanguages } from '../../lib/i18n.ts'
import { newId } from '../../lib/ids.ts'
import { onlyCreatedBy } from '../parcels/access.ts'
import { lockVisit } from '../parcels/pickup-side/visits.ts'
import type { ParcelRow } from '../parcels/queries.ts'
import type { MovableParcel, PlannedTransition } from '../parcels/queries-transition.ts'
import { bindToOrder, checkoutParcels, checkoutsWrite, listParcelsOfOrder, planCheckout } from '../parcels/service.ts'
import { transitionParcels } from '../parcels/transition.ts'
import type { PickupRow } from '../pickups/queries.ts'
import { requestPickup, requireAgreedPickup } from '../pickups/service.ts'
import { joinVisit } from '../pickups/visits/join-visit.ts'
import { priceOrder } from './checkout.ts'
import { documentFacts } from './invoices/seller.ts'
import {
  findOrderToPay,
  lockAccountOrder,
  type OrderRow,
  type OverdueOrder,
  overdueOrders,
  setPaymentUnderWay,
  tryLockOrder,
} from './queries.ts'
import { ordersPaidWrite, type PaidOrder } from './queries-paid.ts'
import { checkoutTab, isRowDueInStore, methodChoices, sumLines } from './rules.ts'
import { cancelUnpaid } from './unfinished/cancel-unpaid.ts'

/**
 * An order and its parcels by id. `visit`: a locked visit for another order that this one can join; undefined: not
 * looked up yet.
 */
export type OrderWithParcels = { order: OrderRow; parcels: MovableParcel[]; visit?: PickupRow | null }
/** Locked in this order until the transaction ends. */
export type LockedOrder = Omit<OrderWithParcels, 'parcels'> & { parcels: ParcelRow[] }

/**
 * Locks an order for payments without their customer: a gateway's report, or a job. Undefined if there is no such
 * order.
 */
export async function lockOrder(trx: DbOrTx, accountId: AccountId, orderId: string): Promise<LockedOrder | undefined> {
  const order = await lockAccountOrder(trx, accountId, orderId, null)
  return order && { order, parcels: await listParcelsOfOrder(trx, orderId, { lock: true }) }
}

/** The booked visit that this order joins; null: it books one of its own. */
const joinedVisit = ({ pickup }: OrderRow, visit: PickupRow | null) => (pickup?.visitId ? visit : null)

const joinsVisit = ({ pickup }: OrderRow) => ({ joins: (pickup?.visitId ?? null) !== null })

/** Whether all parcels of an order are still there and wait for its payment. */
const hasAllParcels = ({ order, parcels }: OrderWithParcels) =>
  parcels.length === order.parcel_count && parcels.every(({ status }) => checkoutStatuses.includes(status))

/**
 * Whether a payment can still be used for its order: unpaid, no pending approval, all parcels present at the agreed
 * price.
 */
export function canBePaid(deps: Deps, { order, parcels }: LockedOrder): boolean {
  return (
    order.status === 'pending_payment' &&
    order.approval_id === null &&
    hasAllParcels({ order, parcels }) &&
    sumLines(priceOrder(deps, parcels, joinsVisit(order))) === order.total_minor
  )
}

/**
 * Locks the caller's order for a payment of the total that was shown. Throws not_found, order_closed (paid, cancelled,
 * or parcels missing), approval_pending, order_expired, price_changed (`details.expectedTotalMinor`,
 * `details.totalMinor`), pickup_missed, pickup_full.
 */
export async function lockForPayment(
  deps: Deps,
  trx: DbOrTx,
  caller: CustomerCaller,
  orderId: string,
  expectedTotalMinor: number,
): Promise<LockedOrder> {
  const order = await lockAccountOrder(trx, caller.accountId, orderId, onlyCreatedBy(caller))
  requireOpen(deps, order)
  return requirePayable(deps, trx, order, expectedTotalMinor)
}

/**
 * The same without locks, for a payment in one statement whose writes re-check what was read here. `extra`: a JSON
 * value that the payment reads in the same statement. `requireReady` throws the errors of `lockForPayment`, except
 * those of a pickup: an order with one is locked.
 */
export async function readForPayment<T>(
  deps: Deps,
  caller: CustomerCaller,
  orderId: string,
  expectedTotalMinor: number,
  extra: RawBuilder<T>,
): Promise<{ extra: T; requireReady: () => OrderWithParcels }> {
  const toPay = await findOrderToPay(deps.db, caller.accountId, orderId, onlyCreatedBy(caller), extra)
  const { order, parcels } = toPay
  const requireReady = () => {
    requireOpen(deps, order)
    requireUnexpired(deps, order)
    requireSameTotal(deps, { order, parcels }, expectedTotalMinor)
    return { order, parcels }
  }
  return { extra: toPay.extra, requireReady }
}

function requireOpen(deps: Deps, order: OrderRow | undefined): asserts order is OrderRow {
  if (!order) throw new AppError('not_found')
  if (order.status !== 'pending_payment') throw closedOrder(deps, order)
  if (order.approval_id !== null) throw new AppError('approval_pending')
}

const isPaidOrBilled = ({ paid_at, payment_method }: OrderRow) =>
  paid_at !== null || payment_method === 'monthly_billing'

/** Whether an order was paid, billed or booked for payment at the counter, and not cancelled since. */
export const isAccepted = (order: OrderRow) =>
  order.status !== 'cancel' && (isPaidOrBilled(order) || isRowDueInStore(order))

/**
 * The error of a closed order. For a paid, billed or booked one it says so: "make a new one" would ship everything
 * twice. `details.accepted` is false for an order that ended unpaid.
 */
function closedOrder(deps: Deps, order: OrderRow): AppError {
  const { status, paid_at: paidAt } = order
  const accepted = isAccepted(order)
  const details = { status, paidAt: paidAt?.toISOString() ?? null, accepted }
  if (!accepted) return new AppError('order_closed', { details })
  if (paidAt === null)
    return new AppError('order_closed', { text: isPaidOrBilled(order) ? 'order_billed' : 'order_booked', details })
  const zone = deps.settings.get('timezone')
  const today = dayIn(paidAt, zone) === dayIn(deps.clock.now(), zone)
  const at = paidAt.toISOString()
  const time = inBothLanguages((locale) =>
    today ? formatTime(at, zone) : formatDate(at, zone, deps.settings.get('format.dateTime'), locale),
  )
  return new AppError('order_closed', {
    text: 'order_paid',
    labels: { time },
    details,
  })
}

function requireUnexpired(deps: Deps, order: OrderRow): void {
  if (order.expires_at && order.expires_at <= deps.clock.now()) throw new AppError('order_expired')
}

/**
 * A locked order that is ready for payment at the total that was shown. Throws order_expired, order_closed,
 * price_changed, pickup_missed, pickup_full.
 */
export async function requirePayable(
  deps: Deps,
  trx: DbOrTx,
  order: OrderRow,
  expectedTotalMinor: number,
): Promise<LockedOrder> {
  requireUnexpired(deps, order)
  const parcels = await listParcelsOfOrder(trx, order.id, { lock: true })
  const visit = order.pickup ? await lockVisit(trx, order.account_id, order.pickup) : null
  requireSameTotal(deps, { order, parcels, visit }, expectedTotalMinor)
  if (order.pickup) {
    const { address, date, window } = order.pickup
    const choice = { address, date, window }
    const joins = joinedVisit(order, visit) !== null
    await requireAgreedPickup(deps, trx, choice, { joins, approving: order.approval_id !== null })
  }
  return { order, parcels, visit }
}

/**
 * Throws order_closed or price_changed, also if a visit that it joined no longer exists, or one exists that it could
 * join without a fee.
 */
function requireSameTotal(deps: Deps, { order, parcels, visit }: OrderWithParcels, expectedTotalMinor: number): void {
  if (!hasAllParcels({ order, parcels })) throw new AppError('order_closed')
  const joining = visit === undefined ? joinsVisit(order) : { joins: visit !== null }
  const totalMinor = sumLines(priceOrder(deps, parcels, joining))
  if (totalMinor !== order.total_minor || totalMinor !== expectedTotalMinor) {
    throw new AppError('price_changed', { details: { expectedTotalMinor, totalMinor } })
  }
}

/** Throws checkout_running if a gateway payment of a locked order is pending. */
export function requireNoRunningPayment({ order, parcels }: LockedOrder): void {
  const waiting = parcels.find(({ status }) => status === 'pending_payment')
  if (waiting) throw new AppError('checkout_running', { details: { parcelId: waiting.id, orderId: order.id } })
}

/**
 * Throws payment_method_closed (`details.reason`) if a locked order cannot be paid this way. The company's conditions
 * of monthly billing are not checked here: they need a lock of their own.
 */
export function requireMethodOpen({ order, parcels }: LockedOrder, method: PaymentMethod): void {
  const tab = checkoutTab(parcels[0]?.delivery_mode ?? null)
  const choices = methodChoices({ currency: order.currency, totalMinor: order.total_minor, tab, billing: null })
  const reason = choices.find((choice) => choice.method === method)?.reason
  if (reason) throw new AppError('payment_method_closed', { details: { reason } })
}

/** Marks the parcels and the order as waiting for the gateway. */
export async function beginGatewayPayment(
  deps: Deps,
  trx: DbOrTx,
  { order, parcels }: LockedOrder,
  payment: { id: string; method: PaymentMethod; expiresAt: Date; actorId: string | null },
): Promise<void> {
  await setPaymentUnderWay(trx, order, payment, deps.clock.now())
  const inCart = parcels.filter(({ status }) => status === 'incart')
  await checkoutParcels(deps, trx, inCart, 'checkout_gateway', {
    actorId: payment.actorId,
    method: payment.method,
  })
}

/** Payment methods that complete at once: the parcels leave the cart immediately. */
const directEvents: Partial<Record<PaymentMethod, 'checkout_credit' | 'checkout_billing'>> = {
  express_credit: 'checkout_credit',
  monthly_billing: 'checkout_billing',
}

/** What releases a paid order: its payment and invoice, then the numbers and timelines of its parcels. */
export type Fulfilment = { paid: PaidOrder; transitions: readonly PlannedTransition[] }

/** The writes that release paid orders. They share one statement with the writes of the payments, which follow. */
export const fulfilmentWrites = (fulfilments: readonly Fulfilment[]): Write[] => [
  ordersPaidWrite(fulfilments.map(({ paid }) => paid)),
  checkoutsWrite(fulfilments.flatMap(({ transitions }) => transitions)),
]

/**
 * Plans the release of a paid order. Parcels that still wait for a gateway are paid by whichever payment comes first.
 * The pickup is written at once, so a payment takes its other locks before: many accounts share the lock of a window.
 * Throws pickup_full.
 */
export async function planFulfilment(
  deps: Deps,
  trx: DbOrTx,
  { order, parcels, visit }: OrderWithParcels,
  by: { actorId: string | null; method: PaymentMethod; paymentId: string },
): Promise<Fulfilment> {
  const direct = directEvents[by.method]
  const pickup = await planOrderPickup(deps, trx, order, { parcelCount: parcels.length, visit, agreed: !direct })
  const leaving = { actorId: by.actorId, method: by.method, pickupRequestId: pickup?.id ?? null }
  const inCart = parcels.filter(({ status }) => status === 'incart')
  const waiting = parcels.filter(({ status }) => status === 'pending_payment')
  const transitions: PlannedTransition[] = []
  if (direct) transitions.push(await planCheckout(deps, trx, inCart, direct, leaving))
  else if (inCart.length > 0) {
    // The payment had failed and its parcels went back to the cart; then its money arrived.
    waiting.push(...(await checkoutParcels(deps, trx, inCart, 'checkout_gateway', by)))
  }
  const event = order.approval_id === null ? 'payment_succeeded' : 'checkout_approved'
  transitions.push(await planCheckout(deps, trx, waiting, event, leaving))
  const settlement = {
    paymentId: by.paymentId,
    method: by.method,
    pickupNumber: pickup?.number ?? null,
    invoice: await documentFacts(deps, trx, order, order.lines),
  }
  return { paid: { order, settlement }, transitions: transitions.filter(({ moves }) => moves.length > 0) }
}

/**
 * The rider's visit of a paid order: an existing one that it joins, or a new one. `agreed`: a bank took the money for
 * the agreed order, so a visit that no longer exists is replaced without a fee, even in a full window.
 */
async function planOrderPickup(
  deps: Deps,
  trx: DbOrTx,
  order: OrderRow,
  {
    parcelCount,
    visit: lockedVisit,
    agreed,
  }: Pick<OrderWithParcels, 'visit'> & { parcelCount: number; agreed: boolean },
): Promise<{ id: string; number: string } | null> {
  if (!order.pickup) return null
  const { stationId, number: _, visitId: __, ...choice } = order.pickup
  const { account_id: accountId, id: orderId } = order
  const visit = joinedVisit(order, lockedVisit === undefined ? await lockVisit(trx, accountId, choice) : lockedVisit)
  if (visit) return { id: visit.id, number: await joinVisit(trx, visit, parcelCount, deps.clock.now()) }
  const id = newId()
  const pickup = { id, accountId, orderId, choice, stationId, parcelCount }
  return { id, number: await requestPickup(deps, trx, pickup, { agreed }) }
}

/**
 * After a failed gateway payment, if no other is pending: moves the parcels back to the cart. The order can be paid
 * until it expires.
 */
export async function releaseParcels(
  deps: Deps,
  trx: DbOrTx,
  { order, parcels }: LockedOrder,
  event: 'payment_failed' | 'payment_expired',
): Promise<ParcelRow[]> {
  if (order.status !== 'pending_payment') return parcels
  const waiting = parcels.filter(({ status }) => status === 'pending_payment')
  const freed = new Map(
    (await transitionParcels(deps, trx, waiting, event, { actorId: null })).map((row) => [row.id, row] as const),
  )
  return parcels.map((row) => freed.get(row.id) ?? row)
}

/** Ends an expired unpaid order. Its parcels stay in the cart, available for another order. */
export async function expireUnpaidOrder(deps: Deps, trx: DbOrTx, { order, parcels }: LockedOrder): Promise<void> {
  const cancelledIds = await cancelUnpaid(deps, trx, [order])
  if (cancelledIds.length > 0) await bindToOrder(trx, parcels, null)
}

const sweepSize = 200

/**
 * Ends expired unpaid orders. One with a pending gateway payment (its parcels wait) ends with that payment, which
 * first queries the gateway.
 */
export async function expireOrders(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  // Pages through all of them: those that wait for the gateway stay overdue, and must not hide the others.
  const orders = inBatches((last: OverdueOrder | null) => overdueOrders(deps.db, now, last, sweepSize))
  await forEachItem(orders, (overdue) => tx(deps.db, (trx) => endOverdue(deps, trx, overdue, now)))
}

async function endOverdue(deps: Deps, trx: DbOrTx, overdue: OverdueOrder, now: Date): Promise<void> {
  if (!(await tryLockOrder(trx, overdue))) return
  const lockedOrder = await lockOrder(trx, overdue.account_id, overdue.id)
  const due =
    lockedOrder?.order.status === 'pending_payment' &&
    lockedOrder.order.expires_at &&
    lockedOrder.order.expires_at <= now
  if (!lockedOrder || !due || lockedOrder.parcels.some(({ status }) => status === 'pending_payment')) return
  await expireUnpaidOrder(deps, trx, lockedOrder)
}
