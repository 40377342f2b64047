/** Checkout: creates an order from parcels in the cart. */
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { createOrder, OrderDetail } from '@waybill/contract/orders/orders'
import type { PriceLine, priceSummary } from '@waybill/contract/pricing/pricing'
import { type Tx, tx } from '../../db/pool.ts'
import { runLastWrites, type Write } from '../../db/writes.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { later, minutes } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { emitLeftCheckout } from '../parcels/cart/drafts.ts'
import { pricesToday, repriceParcels } from '../parcels/cart/prices.ts'
import { pickupSharesById } from '../parcels/cart/share-pickup.ts'
import { findProposedVisit, findVisit, listVisitsTo } from '../parcels/pickup-side/visits.ts'
import type { ParcelRow } from '../parcels/queries.ts'
import { bindToOrder, listParcelsOfOrder, planOrderBinding, readParcelsWithOrders } from '../parcels/service.ts'
import { lockParcels, transitionForbidden } from '../parcels/transition.ts'
import { checkPickup } from '../pickups/service.ts'
import { requirePickupPlace } from '../pickups/windows/pickup-place.ts'
import { pickupCharge } from '../pricing/service.ts'
import { presentOrderApproval } from './approvals/reads.ts'
import type { StoredParty } from './invoices/seller.ts'
import { billingClosedReason } from './monthly-billing/service.ts'
import { presentOrderDetail } from './present.ts'
import { cancelUnpaidOrders, insertOrder, lockUnpaidOrders, type OrderPickup } from './queries.ts'
import { listNewOrder } from './queries-list.ts'
import { checkoutTab, orderLines, type PricedParcel, paymentMinutes, sumLines } from './rules.ts'

type NewOrder = BodyOf<typeof createOrder>

/** `joins`: a rider is already coming for these parcels. */
type Joining = { joins: boolean }

/** The data that determines the price of an order. */
type PricedRow = PricedParcel & Pick<ParcelRow, 'delivery_mode'>

/** The fee for one pickup, if the parcels are picked up and do not join another visit. */
function getPickup(deps: Deps, parcels: readonly PricedRow[], { joins }: Joining): PriceLine[] {
  return !joins && parcels.some((row) => checkoutTab(row.delivery_mode) === 'pickup') ? pickupCharge(deps) : []
}

/** The lines of an order of these parcels at their current prices, with the fee of a pickup if they are picked up. */
export function priceOrder(deps: Deps, parcels: readonly PricedRow[], joining: Joining): PriceLine[] {
  return orderLines(parcels, getPickup(deps, parcels, joining))
}

/**
 * Creates an order from parcels of one tab of the cart at current prices; older unpaid orders of these parcels end.
 * Throws not_found, checkout_running (a parcel waits for a gateway), transition_forbidden (not in the cart),
 * mixed_tab, validation (pickup), price_changed (`details.expectedTotalMinor`, `details.totalMinor`; the cart then
 * shows current prices).
 */
export async function checkOut(
  deps: Deps,
  caller: CustomerCaller,
  request: NewOrder,
  idempotency: Idempotency,
): Promise<OrderDetail> {
  const station = request.pickup ? await checkPickup(deps, deps.db, caller.accountId, request.pickup) : null
  const pickup = request.pickup && { ...request.pickup, stationId: station?.stationId ?? null, number: null }
  try {
    return await tx(deps.db, async (trx) => {
      const { answer, write } = await planOrder(deps, trx, caller, { ...request, pickup })
      const keepAnswer = idempotency.keepWrite(answer)
      await runLastWrites(deps.db, trx, keepAnswer ? [write, keepAnswer] : [write])
      return answer
    })
  } catch (error) {
    // The rollback also undid the new prices; they are written again for the cart.
    if (error instanceof AppError && error.code === 'price_changed') {
      await tx(deps.db, async (trx) => {
        const rows = await lockParcels(trx, caller.accountId, request.parcelIds, caller)
        await repriceParcels(
          deps,
          trx,
          rows.filter(({ status }) => status === 'incart'),
          caller.accountId,
        )
      })
    }
    throw error
  }
}

/** `buyer`: who is invoiced, if it is not the account. */
type OrderRequest = Omit<NewOrder, 'pickup'> & { pickup: OrderPickup | null; buyer?: StoredParty }

/** Inserts an order of locked parcels, with the write that binds them to it. Throws what `checkOut` throws. */
export async function planOrder(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  request: OrderRequest,
): Promise<{ answer: OrderDetail; write: Write }> {
  const now = deps.clock.now()
  // Orders are locked before their parcels, as in payments.
  const unpaidOrders = await lockUnpaidOrders(trx, caller.accountId)
  const lockedParcels = await lockParcels(trx, caller.accountId, request.parcelIds, caller)
  requireInCart(lockedParcels)
  // An order that took these parcels while this one waited is not in `unpaid`; an event ends it.
  const missed = lockedParcels.filter(
    ({ order_id }) => order_id !== null && !unpaidOrders.some(({ id }) => id === order_id),
  )
  await emitLeftCheckout(deps, trx, missed)
  const tabs = new Set(lockedParcels.map((row) => checkoutTab(row.delivery_mode)))
  if (tabs.size > 1) throw new AppError('mixed_tab')
  const fetched = tabs.has('pickup')
  if (fetched && !request.pickup) throw validationError({ field: 'pickup', rule: 'required' })
  if (fetched && request.pickup) await requirePickupPlace(deps, request.pickup.address, lockedParcels)
  const pricedParcels = await repriceParcels(deps, trx, lockedParcels, caller.accountId)
  const visit = fetched && request.pickup ? await findVisit(trx, caller.accountId, request.pickup) : null
  const joining = { joins: visit !== null }
  const lines = priceOrder(deps, pricedParcels, joining)
  const totalMinor = sumLines(lines)
  if (totalMinor !== request.expectedTotalMinor) {
    throw new AppError('price_changed', { details: { expectedTotalMinor: request.expectedTotalMinor, totalMinor } })
  }
  const bound = new Set(pricedParcels.flatMap(({ order_id }) => order_id ?? []))
  await supersede(
    deps,
    trx,
    unpaidOrders.filter(({ id }) => bound.has(id)).map(({ id }) => id),
  )
  const order = await insertOrder(trx, {
    id: newId(),
    accountId: caller.accountId,
    createdBy: caller.userId,
    currency: deps.settings.get('currency'),
    totalMinor,
    lines,
    parcelCount: pricedParcels.length,
    pickup: fetched && request.pickup ? { ...request.pickup, visitId: visit?.id ?? null } : null,
    buyer: request.buyer ?? null,
    acceptsTerms: true,
    at: now,
    expiresAt: later(now, minutes(paymentMinutes)),
  })
  const binding = planOrderBinding(pricedParcels, order.id, getPickup(deps, pricedParcels, joining))
  const billing = await billingClosedReason(deps, trx, caller, order)
  const approval = await presentOrderApproval(deps, trx, caller, order)
  const answer = presentOrderDetail(deps, listNewOrder(order), { parcels: binding.parcels, visits: [] }, caller, {
    billing,
    approval,
  })
  return { answer, write: binding.write }
}

function requireInCart(rows: readonly ParcelRow[]): void {
  const other = rows.find(({ status }) => status !== 'incart')
  if (!other) return
  if (other.status === 'pending_payment') {
    throw new AppError('checkout_running', { details: { parcelId: other.id, orderId: other.order_id } })
  }
  throw transitionForbidden(other, 'checkout_gateway')
}

/** Ends unpaid orders that lose parcels to a newer one, and frees their other parcels. */
async function supersede(deps: Deps, trx: Tx, orderIds: readonly string[]): Promise<void> {
  for (const id of await cancelUnpaidOrders(trx, orderIds, deps.clock.now())) {
    await bindToOrder(trx, await listParcelsOfOrder(trx, id, { lock: true }), null)
  }
}

/** The parcel that is first in the cart; of equal times, the one with the highest id. `rows` are sorted by id. */
const findNewest = (rows: readonly ParcelRow[]): ParcelRow | undefined =>
  rows.reduce<ParcelRow | undefined>(
    (first, row) => (first && first.created_at > row.created_at ? first : row),
    undefined,
  )

/**
 * The current cost of a checkout of these parcels with the selected pickup, else with the one that the cart proposes;
 * nothing is written. Throws not_found, validation (`pickup.address.postcode`).
 */
export async function summarizeCheckout(
  deps: Deps,
  caller: CustomerCaller,
  { parcelIds, pickup }: BodyOf<typeof priceSummary>,
): Promise<ResponseOf<typeof priceSummary>> {
  const { rows } = await readParcelsWithOrders(deps.db, caller, parcelIds, null, { lock: false })
  const pricedRows = await pricesToday(deps, deps.db, rows, caller.accountId)
  const fetchedRows = pricedRows.filter((row) => checkoutTab(row.delivery_mode) === 'pickup')
  const fetched = fetchedRows.length > 0
  if (fetched && pickup) await requirePickupPlace(deps, pickup.address, fetchedRows)
  const address = pickup?.address ?? findNewest(fetchedRows)?.sender
  const visits = fetched && address ? await listVisitsTo(deps, deps.db, caller.accountId, address) : []
  const visit = pickup
    ? (visits.find(({ date, window }) => date === pickup.date && window === pickup.window) ?? null)
    : findProposedVisit(deps, visits)
  const joining = { joins: visit !== null }
  const lines = priceOrder(deps, pricedRows, joining)
  const shares = pickupSharesById(getPickup(deps, pricedRows, joining), pricedRows)
  return {
    visit,
    visits,
    currency: deps.settings.get('currency'),
    totalMinor: sumLines(lines),
    lines,
    parcels: pricedRows.map(({ id, service_code, price_minor }) => {
      const { feeMinor = 0, taxMinor = 0 } = shares.get(id) ?? {}
      return { id, serviceCode: service_code, totalMinor: (price_minor ?? 0) + feeMinor + taxMinor }
    }),
  }
}
