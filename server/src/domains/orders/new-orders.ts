/** Creates orders from parcels of the cart. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { createOrder, OrderDetail } from '@waybill/contract/orders/orders'
import { groupCalls } from '../../db/concurrency/group-calls.ts'
import { type DbOrTx, limitLockWait, type Tx, tx } from '../../db/pool.ts'
import { runLastWrites, runWrites, type Write } from '../../db/writes.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import { type Idempotency, keyedResponsesWrite } from '../../http/idempotency.ts'
import { later, minutes } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { emitLeftCheckout } from '../parcels/cart/drafts.ts'
import { isRepriced, pricesToday, repriceParcels } from '../parcels/cart/prices.ts'
import type { OrderBinding } from '../parcels/cart/queries.ts'
import { findVisit } from '../parcels/pickup-side/visits.ts'
import type { ParcelRow } from '../parcels/queries.ts'
import {
  bindingsWrite,
  bindToOrder,
  listParcelsOfOrder,
  planOrderBindings,
  readParcelsWithOrders,
} from '../parcels/service.ts'
import { lockParcels, transitionForbidden } from '../parcels/transition.ts'
import { checkPickup } from '../pickups/service.ts'
import { requirePickupPlace } from '../pickups/windows/pickup-place.ts'
import { presentOrderApproval } from './approvals/reads.ts'
import { getPickupFee, priceOrder } from './checkout.ts'
import type { StoredParty } from './invoices/seller.ts'
import { billingClosedReason } from './monthly-billing/service.ts'
import { presentOrderDetail } from './present.ts'
import { lockUnpaidOrders, type OrderPickup, type OrderRow } from './queries.ts'
import { listNewOrder } from './queries-list.ts'
import { type NewOrder, ordersWrite, takeOrderNumbers, toOrderRow } from './queries-new.ts'
import { checkoutTab, paymentMinutes, sumLines } from './rules.ts'
import { cancelUnpaid } from './unfinished/cancel-unpaid.ts'

/** How long a group of orders waits for a parcel that another request has locked. */
const longestLockMs = 100
/** An order of more parcels is written alone. */
const mostParcelsInGroup = 100

/** `buyer`: who is invoiced, if it is not the account. */
type OrderRequest = Omit<BodyOf<typeof createOrder>, 'pickup'> & { pickup: OrderPickup | null; buyer?: StoredParty }

/** A checked and priced order. Its number is assigned when it is written. */
type PlannedOrder = {
  order: NewOrder
  bindings: readonly OrderBinding[]
  present: (number: string) => OrderDetail
}

type Keeping = Pick<Idempotency, 'toKeyedResponse'>

/** Writes planned orders at the end of the transaction, with the responses under their keys. Returns the responses. */
async function writeOrders(
  { db }: Deps,
  trx: Tx,
  orders: readonly { plan: PlannedOrder; idempotency: Keeping }[],
): Promise<OrderDetail[]> {
  const { answers, writes } = await numberOrders(
    trx,
    orders.map(({ plan }) => plan),
  )
  const keyedResponses = orders.map(({ idempotency }, n) => idempotency.toKeyedResponse(answers[n]))
  await runLastWrites(db, trx, [...writes, keyedResponsesWrite(keyedResponses)])
  return answers
}

/** Assigns numbers to planned orders. Returns their responses and what is to be written. */
async function numberOrders(
  trx: Tx,
  plans: readonly PlannedOrder[],
): Promise<{ answers: OrderDetail[]; writes: Write[] }> {
  const numbers = await takeOrderNumbers(trx, plans.length)
  const numberedPlans = plans.map((plan, n) => ({ ...plan, number: numbers[n] as string }))
  return {
    answers: numberedPlans.map(({ number, present }) => present(number)),
    writes: [
      ordersWrite(numberedPlans.map(({ order, number }) => ({ ...order, number }))),
      bindingsWrite(numberedPlans.flatMap(({ bindings }) => bindings)),
    ],
  }
}

/**
 * A function that creates an order from parcels of one tab of the cart at current prices; older unpaid orders of these
 * parcels end. Orders of parcels without an older order that arrive together are written by one statement (decision
 * 102). It is optimistic: if a parcel has changed since it was read, the order is planned again with locks.
 *
 * The function throws not_found, checkout_running (a parcel waits for a gateway), transition_forbidden (not in the
 * cart), mixed_tab, validation (pickup), price_changed (`details.expectedTotalMinor`, `details.totalMinor`; the cart
 * then shows current prices).
 */
export function createCheckouts(deps: Deps) {
  const writeOptimistically = groupCalls(
    (orders: readonly { plan: PlannedOrder; idempotency: Keeping }[]) =>
      tx(deps.db, async (trx) => {
        await limitLockWait(trx, longestLockMs)
        return writeOrders(deps, trx, orders)
      }),
    (order) => tx(deps.db, async (trx) => (await writeOrders(deps, trx, [order]))[0] as OrderDetail),
    ({ plan }) => plan.bindings.length > mostParcelsInGroup,
  )

  const createOptimistically = async (
    caller: CustomerCaller,
    request: OrderRequest,
    idempotency: Keeping,
  ): Promise<OrderDetail | null> => {
    const plan = await planWithoutLocks(deps, caller, request)
    if (!plan) return null
    try {
      return await writeOptimistically({ plan, idempotency })
    } catch (error) {
      if (error instanceof AppError && error.code === 'version_conflict') return null
      throw error
    }
  }

  const createWithLocks = (caller: CustomerCaller, request: OrderRequest, idempotency: Keeping): Promise<OrderDetail> =>
    tx(deps.db, async (trx) => {
      const plan = await planWithLocks(deps, trx, caller, request)
      const [answer] = await writeOrders(deps, trx, [{ plan, idempotency }])
      return answer as OrderDetail
    })

  return async (
    caller: CustomerCaller,
    body: BodyOf<typeof createOrder>,
    idempotency: Keeping,
  ): Promise<OrderDetail> => {
    const station = body.pickup ? await checkPickup(deps, deps.db, caller.accountId, body.pickup) : null
    const pickup = body.pickup && { ...body.pickup, stationId: station?.stationId ?? null, number: null }
    const request = { ...body, pickup }
    try {
      const answer = await createOptimistically(caller, request, idempotency)
      return answer ?? (await createWithLocks(caller, request, idempotency))
    } catch (error) {
      // The rollback also undid the new prices; they are written again for the cart.
      if (error instanceof AppError && error.code === 'price_changed') await repriceCart(deps, caller, body.parcelIds)
      throw error
    }
  }
}

async function repriceCart(deps: Deps, caller: CustomerCaller, parcelIds: readonly string[]): Promise<void> {
  await tx(deps.db, async (trx) => {
    const rows = await lockParcels(trx, caller.accountId, parcelIds, caller)
    const inCart = rows.filter(({ status }) => status === 'incart')
    await repriceParcels(deps, trx, inCart, caller.accountId)
  })
}

/** Creates an order within the transaction of a larger piece of work. Throws what `createCheckouts` throws. */
export async function createOrderInTransaction(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  request: OrderRequest,
): Promise<OrderDetail> {
  const plan = await planWithLocks(deps, trx, caller, request)
  const { answers, writes } = await numberOrders(trx, [plan])
  await runWrites(trx, writes)
  return answers[0] as OrderDetail
}

/** Plans an order of parcels that are free and have today's prices; null for others, which have to be locked. */
async function planWithoutLocks(
  deps: Deps,
  caller: CustomerCaller,
  request: OrderRequest,
): Promise<PlannedOrder | null> {
  const { rows } = await readParcelsWithOrders(deps.db, caller, request.parcelIds, null, { lock: false })
  if (rows.some(({ status, order_id }) => status !== 'incart' || order_id !== null)) return null
  await requireOneTab(deps, request, rows)
  const pricedParcels = await pricesToday(deps, deps.db, rows, caller.accountId)
  if (pricedParcels.some((row, n) => isRepriced(rows[n] as ParcelRow, row))) return null
  return planOrder(deps, deps.db, caller, request, pricedParcels)
}

/** Locks the parcels, and ends their older unpaid orders. */
async function planWithLocks(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  request: OrderRequest,
): Promise<PlannedOrder> {
  // Orders are locked before their parcels, as in payments.
  const unpaidOrders = await lockUnpaidOrders(trx, caller.accountId)
  const lockedParcels = await lockParcels(trx, caller.accountId, request.parcelIds, caller)
  requireInCart(lockedParcels)
  // An order that took these parcels while this one waited is not in `unpaidOrders`; an event ends it.
  const missed = lockedParcels.filter(
    ({ order_id }) => order_id !== null && !unpaidOrders.some(({ id }) => id === order_id),
  )
  await emitLeftCheckout(deps, trx, missed)
  await requireOneTab(deps, request, lockedParcels)
  const pricedParcels = await repriceParcels(deps, trx, lockedParcels, caller.accountId)
  const plan = await planOrder(deps, trx, caller, request, pricedParcels)
  const oldOrders = new Set(pricedParcels.flatMap(({ order_id }) => order_id ?? []))
  await supersede(
    deps,
    trx,
    unpaidOrders.filter(({ id }) => oldOrders.has(id)),
  )
  return plan
}

function requireInCart(rows: readonly ParcelRow[]): void {
  const other = rows.find(({ status }) => status !== 'incart')
  if (!other) return
  if (other.status === 'pending_payment') {
    throw new AppError('checkout_running', { details: { parcelId: other.id, orderId: other.order_id } })
  }
  throw transitionForbidden(other, 'checkout_gateway')
}

/** Throws mixed_tab, and validation if the parcels are picked up and the pickup is missing or impossible. */
async function requireOneTab(deps: Deps, { pickup }: OrderRequest, parcels: readonly ParcelRow[]): Promise<void> {
  const tabs = new Set(parcels.map((row) => checkoutTab(row.delivery_mode)))
  if (tabs.size > 1) throw new AppError('mixed_tab')
  if (!tabs.has('pickup')) return
  if (!pickup) throw validationError({ field: 'pickup', rule: 'required' })
  await requirePickupPlace(deps, pickup.address, parcels)
}

/** The order of parcels of one tab that have today's prices. Throws price_changed. */
async function planOrder(
  deps: Deps,
  db: DbOrTx,
  caller: CustomerCaller,
  request: OrderRequest,
  parcels: readonly ParcelRow[],
): Promise<PlannedOrder> {
  const now = deps.clock.now()
  const pickup = parcels.some((row) => checkoutTab(row.delivery_mode) === 'pickup') ? request.pickup : null
  const visit = pickup && (await findVisit(db, caller.accountId, pickup))
  const joining = { joins: visit !== null }
  const lines = priceOrder(deps, parcels, joining)
  const totalMinor = sumLines(lines)
  if (totalMinor !== request.expectedTotalMinor) {
    throw new AppError('price_changed', { details: { expectedTotalMinor: request.expectedTotalMinor, totalMinor } })
  }
  const order: NewOrder = {
    id: newId(),
    accountId: caller.accountId,
    createdBy: caller.userId,
    currency: deps.settings.get('currency'),
    totalMinor,
    lines,
    parcelCount: parcels.length,
    pickup: pickup && { ...pickup, visitId: visit?.id ?? null },
    buyer: request.buyer ?? null,
    acceptsTerms: true,
    at: now,
    expiresAt: later(now, minutes(paymentMinutes)),
  }
  const bindings = planOrderBindings(parcels, order.id, getPickupFee(deps, parcels, joining))
  const unpaid = { status: 'pending_payment', total_minor: totalMinor, approval_id: null } as const
  const billing = await billingClosedReason(deps, db, caller, unpaid)
  const approval = await presentOrderApproval(deps, db, caller, unpaid)
  const present = (number: string): OrderDetail => {
    const row = listNewOrder(toOrderRow({ ...order, number }))
    const boundParcels = bindings.map(({ after }) => after)
    return presentOrderDetail(deps, row, { parcels: boundParcels, visits: [] }, caller, { billing, approval })
  }
  return { order, bindings, present }
}

/** Ends unpaid orders that lose parcels to a newer one, and frees their other parcels. */
async function supersede(deps: Deps, trx: Tx, orders: readonly OrderRow[]): Promise<void> {
  for (const id of await cancelUnpaid(deps, trx, orders)) {
    await bindToOrder(trx, await listParcelsOfOrder(trx, id, { lock: true }), null)
  }
}
