// What higher domains need of parcels: the parcels of orders, checkouts, and charged actions.
import type { Carrier, PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { RawBuilder } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import { runWrites, type Write } from '../../db/writes.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, AnyCaller, CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { carrierMeasures } from '../pricing/size-limits.ts'
import { actionFacts, onlyCreatedBy } from './access.ts'
import { returnableUntil, whyNotCancelled, whyNotRecalled, whyNotReturned } from './allowed-actions.ts'
import { carrierHasParcel } from './carrier-handover/with-other-carrier.ts'
import { type OrderBinding, orderBindingsWrite } from './cart/queries.ts'
import { pickupSharesById } from './cart/share-pickup.ts'
import { listParcelsForPickup, type PickupParcelRow } from './pickup-side/queries-pickup.ts'
import { presentParcel } from './present.ts'
import {
  type CheckoutParcel,
  checkoutParcelsJson,
  findParcels,
  listOrderIds,
  listParcelNames,
  listParcelRowsOfOrders,
  listParcelsOfAnyAccount,
  listParcelsWithOrders,
  nextTrackingSerials,
  type ParcelRow,
} from './queries.ts'
import { type MovableParcel, movesWrite, type PlannedTransition } from './queries-transition.ts'
import { measureParcel, type ParcelSize } from './rules.ts'
import type { ParcelEvent } from './status.ts'
import { makeTrackingNumber } from './tracking-number.ts'
import { type ChangesOf, planTransition, transitionForbidden, transitionParcels } from './transition.ts'

/**
 * Parcels by id (`rows`), and together with all other parcels of these orders (`all`). With `orderIds` null, `all` has
 * the same parcels. `lock` locks them until the transaction ends; the orders must be locked before. Throws not_found
 * unless the caller may see each of them.
 */
export async function readParcelsWithOrders(
  trx: DbOrTx,
  caller: CustomerCaller,
  ids: readonly string[],
  orderIds: readonly string[] | null,
  { lock }: { lock: boolean },
): Promise<{ rows: ParcelRow[]; all: ParcelRow[] }> {
  const all = await listParcelsWithOrders(trx, caller.accountId, ids, orderIds ?? [], lock)
  const [requested, visible] = [new Set(ids), onlyCreatedBy(caller)]
  const rows = all.filter((row) => requested.has(row.id) && (visible === null || row.created_by === visible))
  if (rows.length !== requested.size) throw new AppError('not_found')
  return { rows, all }
}

/** A parcel that the caller may see. Throws not_found. */
export async function readParcel(db: DbOrTx, caller: CustomerCaller, id: string): Promise<ParcelRow> {
  const [row] = await findParcels(db, caller.accountId, [id], onlyCreatedBy(caller))
  if (!row) throw new AppError('not_found')
  return row
}

/**
 * Throws cancel_after_hand_over, carrier_has_parcel or transition_forbidden, with the status, for the first parcel that
 * cannot be cancelled.
 */
export function requireCancellable(rows: readonly ParcelRow[]): void {
  for (const row of rows) {
    const code = whyNotCancelled(actionFacts(row))
    if (code) throw actionError(row, code, 'cancelled')
  }
}

/** Recall and return: why each is not possible (null: it is), and until when the parcel can be returned. */
export function chargedActions({ clock, settings }: Deps, row: ParcelRow) {
  const window = { now: clock.now(), days: settings.get('returns.windowDays') }
  const parcel = actionFacts(row)
  return {
    recall: whyNotRecalled(parcel),
    return: whyNotReturned(parcel, window),
    returnableUntil: returnableUntil(parcel, window),
  }
}

/**
 * Throws recall_while_delivering, carrier_has_parcel, return_window_over, not_covered or transition_forbidden, with the
 * status, if a parcel cannot be recalled or returned now.
 */
export function requireRecallable(deps: Deps, row: ParcelRow, action: 'recall' | 'return'): void {
  const code = chargedActions(deps, row)[action]
  if (code) throw actionError(row, code, action === 'recall' ? 'recalled' : 'return_requested')
}

function actionError(row: ParcelRow, code: ErrorCode, event: ParcelEvent): AppError {
  if (code === 'carrier_has_parcel') return carrierHasParcel(row)
  const plain = transitionForbidden(row, event)
  // The other codes have a text of their own.
  const { text: _, ...extra } = plain.extra
  return code === 'transition_forbidden' ? plain : new AppError(code, extra)
}

/** A parcel of any account; null if there is none. The calling domain checks access. */
export async function findParcelOfAnyAccount(db: DbOrTx, id: string): Promise<ParcelRow | null> {
  return (await listParcelsOfAnyAccount(db, [id]))[0] ?? null
}

/** The tracking numbers and references of an account's parcels, by their ids or tracking numbers. */
export async function findParcelNames(
  db: DbOrTx,
  accountId: AccountId,
  by: { ids: readonly string[]; numbers: readonly string[] },
): Promise<{ id: string; tracking_number: string | null; reference: string | null }[]> {
  return listParcelNames(db, accountId, by.ids, by.numbers)
}

/** The ids of the orders of these parcels. */
export async function listOrdersOfParcels(db: DbOrTx, parcelIds: readonly string[]): Promise<string[]> {
  return listOrderIds(db, parcelIds)
}

/** The parcels of an order by id; `lock` locks them until the transaction ends. */
export async function listParcelsOfOrder(
  trx: DbOrTx,
  orderId: string,
  options: { lock: boolean },
): Promise<ParcelRow[]> {
  return listParcelRowsOfOrders(trx, [orderId], options.lock)
}

/** The parcels of several orders by id; `lock` locks them until the transaction ends. */
export async function listParcelsOfOrders(
  trx: DbOrTx,
  orderIds: readonly string[],
  options: { lock: boolean },
): Promise<ParcelRow[]> {
  return orderIds.length === 0 ? [] : listParcelRowsOfOrders(trx, orderIds, options.lock)
}

/** SQL of the parcels of an order by id as a JSON array of `CheckoutParcel`, for a statement that reads the order. */
export function selectCheckoutParcels(orderId: string): RawBuilder<CheckoutParcel[]> {
  return checkoutParcelsJson(orderId)
}

/**
 * Parcels of the cart as bound to an unpaid order, or released (null), in the same order. They stay in the cart: a
 * newer order takes them over, and an edited parcel leaves the order. `pickup` is the order's pickup fee, shared by the
 * parcels. Versions stay.
 */
export function planOrderBindings(
  rows: readonly ParcelRow[],
  orderId: string | null,
  pickup: readonly PriceLine[] = [],
): OrderBinding[] {
  const shares = pickupSharesById(pickup, rows)
  return rows.map((before) => {
    const { feeMinor = null, taxMinor = null } = shares.get(before.id) ?? {}
    const after = { ...before, order_id: orderId, pickup_fee_minor: feeMinor, pickup_tax_minor: taxMinor }
    return { before, after }
  })
}

/** The write of `planOrderBindings`. Throws version_conflict if a parcel has changed since it was read. */
export const bindingsWrite = (bindings: readonly OrderBinding[]): Write => orderBindingsWrite(bindings)

/** Binds parcels that the transaction has locked to an order, or releases them (null). */
export async function bindToOrder(trx: DbOrTx, rows: readonly ParcelRow[], orderId: string | null): Promise<void> {
  if (rows.length > 0) await runWrites(trx, [orderBindingsWrite(planOrderBindings(rows, orderId))])
}

/** Checkout events after which a parcel is in transit, so that it needs a tracking number. */
const numbered: readonly ParcelEvent[] = [
  'checkout_credit',
  'checkout_billing',
  'checkout_store',
  'checkout_approved',
  'payment_succeeded',
]

export type CheckoutEvent =
  | 'checkout_gateway'
  | 'checkout_store'
  | 'checkout_credit'
  | 'checkout_billing'
  | 'checkout_approval'
  | 'checkout_approved'
  | 'payment_succeeded'

/**
 * Serials that a process has reserved, so that most checkouts need no query. Those of a process that ends are lost;
 * the gaps are invisible, because numbers look random.
 */
const reserves = new WeakMap<Deps, number[]>()
const reserveSize = 200

async function takeSerials(deps: Deps, trx: DbOrTx, count: number): Promise<number[]> {
  const reserve = reserves.get(deps) ?? []
  reserves.set(deps, reserve)
  const serials = reserve.splice(0, count)
  if (serials.length === count) return serials
  const missing = count - serials.length
  const fresh = await nextTrackingSerials(trx, missing + reserveSize)
  reserve.push(...fresh.splice(missing))
  return [...serials, ...fresh]
}

type CheckedOutBy = { actorId: string | null; method?: PaymentMethod; pickupRequestId?: string | null }

/**
 * The columns that a checkout writes in addition to the transition: tracking numbers, payment method, pickup and the
 * amount due.
 */
async function checkoutChanges(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly MovableParcel[],
  event: CheckoutEvent,
  by: CheckedOutBy,
): Promise<ChangesOf<MovableParcel>> {
  const unnumbered = numbered.includes(event) ? rows.filter((row) => row.tracking_number === null) : []
  const serials = await takeSerials(deps, trx, unnumbered.length)
  const prefix = deps.settings.get('tracking.prefix')
  const numbers = new Map(unnumbered.map((row, n) => [row.id, makeTrackingNumber(prefix, serials[n] as number)]))
  return (row) => {
    const number = numbers.get(row.id)
    return {
      ...(number ? { tracking_number: number } : {}),
      ...(by.method ? { payment_method: by.method } : {}),
      ...(event === 'checkout_store' ? { amount_due_minor: row.price_minor ?? 0 } : {}),
      ...(by.pickupRequestId === undefined ? {} : { pickup_request_id: by.pickupRequestId }),
    }
  }
}

/** `transitionParcels` for a checkout: parcels that are now in transit get tracking numbers. */
export async function checkoutParcels(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly MovableParcel[],
  event: CheckoutEvent,
  by: CheckedOutBy,
): Promise<ParcelRow[]> {
  const changes = await checkoutChanges(deps, trx, rows, event, by)
  return transitionParcels(deps, trx, rows, event, { actorId: by.actorId }, changes)
}

/** Plans what `checkoutParcels` writes. Throws transition_forbidden. */
export async function planCheckout(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly MovableParcel[],
  event: CheckoutEvent,
  by: CheckedOutBy,
): Promise<PlannedTransition> {
  const changes = await checkoutChanges(deps, trx, rows, event, by)
  return planTransition(deps, rows, event, { actorId: by.actorId }, changes)
}

/** Planned checkouts as a write. Throws version_conflict if a parcel, its price or its order has changed. */
export const checkoutsWrite = (transitions: readonly PlannedTransition[]): Write =>
  movesWrite(transitions, { checkout: true })

/** Formats a row for the API, with the actions that the caller may take. */
export function presentParcelRow(deps: Deps, row: ParcelRow, caller: AnyCaller): Parcel {
  return presentParcel(deps, row, caller)
}

/** Volumetric and chargeable weight of a parcel by the measures of a carrier's rates, in grams. */
export async function weighOne(deps: Deps, carrier: Carrier, size: ParcelSize) {
  return measureParcel(size, await carrierMeasures(deps, carrier))
}

/** `weighOne` for each of several parcels, and the sums. */
export async function weighEach(deps: Deps, carrier: Carrier, sizes: readonly ParcelSize[]) {
  const measures = await carrierMeasures(deps, carrier)
  const items = sizes.map((size) => measureParcel(size, measures))
  return {
    items,
    totalVolumetricGrams: items.reduce((sum, item) => sum + item.volumetricGrams, 0),
    totalChargeableGrams: items.reduce((sum, item) => sum + item.chargeableGrams, 0),
  }
}

/** The caller's parcels that wait for a rider, the oldest first; of one pickup, or of all (null). */
export async function listWaitingForPickup(
  { db }: Deps,
  caller: CustomerCaller,
  pickupRequestId: string | null,
): Promise<PickupParcelRow[]> {
  return listParcelsForPickup(db, caller.accountId, onlyCreatedBy(caller), pickupRequestId)
}
