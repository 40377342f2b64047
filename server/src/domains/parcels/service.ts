import type {
  DeliveryMode,
  Leg,
  ParcelStatus,
  PaymentMethod,
  ServiceType,
  TrackingStatus,
} from '@waybill/contract/ground/enums'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import type { DbOrTx } from '../../db/pool.ts'
import type { Write } from '../../db/steps.ts'
import type { Deps } from '../../deps.ts'
import type { AnyCaller, CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { dayIn } from '../../lib/clock.ts'
import { actionFacts, onlyCreatedBy } from './access.ts'
import { returnableUntil, whyNotCancelled, whyNotRecalled, whyNotReturned } from './allowed-actions.ts'
import { pickupSharesById } from './cart/share-pickup.ts'
import { parcelsWaitingForPickup } from './pickup-side/queries-pickup.ts'
import { presentParcel } from './present.ts'
import {
  listOrderIds,
  nextTrackingSerials,
  type ParcelRow,
  parcelsOfOrderRows,
  parcelsWithOrderRows,
  setOrder,
} from './queries.ts'
import { checkoutWrite } from './queries-transition.ts'
import { expectedDays, measureParcel, type Sized } from './rules.ts'
import { type ParcelEvent, toTrackingStatus } from './status.ts'
import { type JourneyReader, journeyReader } from './timeline/queries.ts'
import { makeTrackingNumber } from './tracking-number.ts'
import { type ChangesOf, planTransition, transitionForbidden, transitionParcels } from './transition.ts'

/**
 * Parcels with all the others of these orders, in the order of their ids; `lock` holds them until the transaction ends,
 * the orders being locked before. Throws not_found unless every id is the account's and the caller may see it.
 * `orderIds` null: the parcels alone.
 */
export async function parcelsWithOrders(
  trx: DbOrTx,
  caller: CustomerCaller,
  ids: readonly string[],
  orderIds: readonly string[] | null,
  { lock }: { lock: boolean },
): Promise<{ wanted: ParcelRow[]; all: ParcelRow[] }> {
  const all = await parcelsWithOrderRows(trx, caller.accountId, ids, orderIds ?? [], lock)
  const [named, visible] = [new Set(ids), onlyCreatedBy(caller)]
  const wanted = all.filter((row) => named.has(row.id) && (visible === null || row.created_by === visible))
  if (wanted.length !== named.size) throw new AppError('not_found')
  return { wanted, all }
}

/**
 * Throws why the first of these parcels can't be cancelled: cancel_after_hand_over, transition_forbidden; both name its
 * status.
 */
export function requireCancellable(rows: readonly ParcelRow[]): void {
  for (const row of rows) {
    const code = whyNotCancelled(actionFacts(row))
    if (code) throw refused(row, code, 'cancelled')
  }
}

/** The actions that cost something: open or not and why, each with what it needs to be told. */
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
 * Throws why a parcel can't be recalled or returned now: recall_while_delivering, return_window_over,
 * transition_forbidden; all name its status.
 */
export function requireRecallable(deps: Deps, row: ParcelRow, action: 'recall' | 'return'): void {
  const code = chargedActions(deps, row)[action]
  if (code) throw refused(row, code, action === 'recall' ? 'recalled' : 'return_requested')
}

function refused(row: ParcelRow, code: ErrorCode, event: ParcelEvent): AppError {
  const plain = transitionForbidden(row, event)
  return code === 'transition_forbidden' ? plain : new AppError(code, plain.extra)
}

/** The ids of the orders that these parcels belong to; parcels without one, or gone, have none. */
export async function ordersOfParcels(db: DbOrTx, parcelIds: readonly string[]): Promise<string[]> {
  return listOrderIds(db, parcelIds)
}

/** The parcels of an order in the order of their ids; `lock` holds them until the transaction ends. */
export async function parcelsOfOrder(trx: DbOrTx, orderId: string, options: { lock: boolean }): Promise<ParcelRow[]> {
  return parcelsOfOrderRows(trx, orderId, options.lock)
}

/**
 * Ties parcels of the cart to the order that waits for its payment, or frees them (null). They stay in the cart: a
 * newer order takes them over, and editing or taking out a parcel frees it. `pickup`: what the order pays for its
 * pickup, shared by the parcels. No version changes. Answers the rows as they are now, in the same order.
 */
export async function bindToOrder(
  trx: DbOrTx,
  rows: readonly ParcelRow[],
  orderId: string | null,
  pickup: readonly PriceLine[] = [],
): Promise<ParcelRow[]> {
  return setOrder(trx, rows, orderId, pickupSharesById(pickup, rows))
}

/** Checkouts after which a parcel is on its way, and so needs its number. */
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
 * Serials taken from the sequence and not used yet: a process takes many at a time, so that most checkouts needn't ask.
 * Lost ones leave gaps, which no number shows.
 */
const reserves = new WeakMap<Deps, number[]>()
const reserveSize = 200

async function takeSerials(deps: Deps, trx: DbOrTx, count: number): Promise<number[]> {
  const reserve = reserves.get(deps) ?? []
  reserves.set(deps, reserve)
  const taken = reserve.splice(0, count)
  if (taken.length === count) return taken
  const missing = count - taken.length
  const fresh = await nextTrackingSerials(trx, missing + reserveSize)
  reserve.push(...fresh.splice(missing))
  return [...taken, ...fresh]
}

type CheckedOutBy = { actorId: string | null; method?: PaymentMethod; pickupRequestId?: string | null }

/**
 * What a checkout writes beside the transition: tracking numbers of parcels that are on their way now, and their
 * pickup.
 */
async function checkoutChanges(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly ParcelRow[],
  event: CheckoutEvent,
  by: CheckedOutBy,
): Promise<ChangesOf> {
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

/** `moveParcels` for a checkout: parcels that are on their way now get their tracking numbers. */
export async function checkoutParcels(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly ParcelRow[],
  event: CheckoutEvent,
  by: CheckedOutBy,
): Promise<ParcelRow[]> {
  const changes = await checkoutChanges(deps, trx, rows, event, by)
  return transitionParcels(deps, trx, rows, event, { actorId: by.actorId }, changes)
}

/**
 * `checkoutParcels` as a step of one statement with other domains' writes; null when there is nothing to move. Throws
 * transition_forbidden at once.
 */
export async function planCheckoutWrite(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly ParcelRow[],
  event: CheckoutEvent,
  by: CheckedOutBy,
): Promise<Write | null> {
  if (rows.length === 0) return null
  const changes = await checkoutChanges(deps, trx, rows, event, by)
  const { moves, facts } = planTransition(deps, rows, event, { actorId: by.actorId }, changes)
  return checkoutWrite(moves, facts)
}

/** Rows as the contract shows them to this caller, with what the caller may do next. */
export function presentParcels(deps: Deps, rows: readonly ParcelRow[], caller: AnyCaller): Parcel[] {
  return rows.map((row) => presentParcel(deps, row, caller))
}

/**
 * A parcel's journey without anybody's name, phone, street or money; times in epoch milliseconds, newest event first.
 */
export type Journey = {
  trackingNumber: string
  status: ParcelStatus
  trackingStatus: TrackingStatus
  handedOver: boolean
  leg: Leg
  serviceType: ServiceType | null
  deliveryMode: DeliveryMode | null
  originCity: string | null
  destinationCity: string | null
  expectedDate: string | null
  promisedDate: string | null
  /** At its self-collection station. */
  collectUntil: string | null
  events: { at: number; event: string; status: ParcelStatus; place: string | null }[]
}

const readers = new WeakMap<Deps, JourneyReader>()

function readerOf(deps: Deps): JourneyReader {
  let reader = readers.get(deps)
  if (!reader) {
    reader = journeyReader(deps.pool)
    readers.set(deps, reader)
  }
  return reader
}

/** The journeys of these tracking numbers, in one query and in no order; numbers that nobody has are left out. */
export async function findJourneys(deps: Deps, numbers: readonly string[]): Promise<Journey[]> {
  if (numbers.length === 0) return []
  const rows = await readerOf(deps)(numbers)
  const today = dayIn(deps.clock.now(), deps.settings.get('timezone'))
  return rows.map((row) => ({
    trackingNumber: row.tracking_number,
    status: row.status,
    trackingStatus: toTrackingStatus(row.status, row.handed_over),
    handedOver: row.handed_over,
    leg: row.leg,
    serviceType: row.service_type,
    deliveryMode: row.delivery_mode,
    originCity: row.origin,
    destinationCity: row.destination,
    ...expectedDays(row, today),
    collectUntil: row.status === 'inbound' ? row.collect_until : null,
    events: row.events.map(([at, event, status, place]) => ({ at, event, status, place })),
  }))
}

/** Volumetric and chargeable weight of a size by the deployment's divisor; grams and mm. */
export function weighOne({ settings }: Deps, size: Sized) {
  return measureParcel(size, settings.get('weight.divisor'))
}

/** The same of several parcels, each on its own, and the sums. */
export function weighEach(deps: Deps, sizes: readonly Sized[]) {
  const items = sizes.map((size) => weighOne(deps, size))
  return {
    items,
    totalVolumetricGrams: items.reduce((sum, item) => sum + item.volumetricGrams, 0),
    totalChargeableGrams: items.reduce((sum, item) => sum + item.chargeableGrams, 0),
  }
}

/** The caller's parcels that a rider is to fetch, in the order in which they were made; of one pickup or of all. */
export async function listWaitingForPickup(
  { db }: Deps,
  caller: CustomerCaller,
  pickupRequestId: string | null,
): Promise<ParcelRow[]> {
  return parcelsWaitingForPickup(db, caller.accountId, onlyCreatedBy(caller), pickupRequestId)
}
