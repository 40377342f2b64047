import type { Carrier, PaymentMethod, ServiceType } from '@waybill/contract/ground/enums'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import type { Insertable } from 'kysely'
import type { DB } from '../../db/schema.ts'
import { custodyAfter } from '../../domains/parcels/custody/service.ts'
import type { ParcelChanges } from '../../domains/parcels/queries.ts'
import { holderAfter, type ParcelEvent, type ParcelState } from '../../domains/parcels/status.ts'
import { makeTrackingNumber } from '../../domains/parcels/tracking-number.ts'
import type { PickupShare } from '../../domains/pricing/rules.ts'
import { pickupShares } from '../../domains/pricing/service.ts'
import { distanceM } from '../../domains/stations/rules.ts'
import type { Settled } from '../money/orders.ts'
import type { PriceList } from '../money/prices.ts'
import { codAmount } from '../story/abroad.ts'
import type { Happening } from '../story/journeys.ts'
import type { Stop } from '../story/map.ts'
import type { Member, StaffMember } from '../story/people.ts'
import { type Chance, chanceOf, idFor } from '../story/random.ts'
import { drawSignature } from '../story/signature.ts'
import type { ParcelStory } from '../story/story.ts'

/** What the rate card says of a parcel when it was put in the cart. */
export type Priced = {
  price: PriceBreakdown
  serviceCode: string
  serviceType: ServiceType
  carrier: Carrier
  expectedDate: string | null
}

/** What a parcel's row takes from its order and from what is still to be paid. */
export type ParcelMoney = {
  priced: Priced | null
  share: PickupShare | null
  orderId: string | null
  paidBy: PaymentMethod | null
  pickUpId: string | null
  actualGrams: number | null
  dueMinor: number
}

/** Events with which a parcel gets its number. */
const numbering: readonly ParcelEvent[] = ['checkout_credit', 'checkout_billing', 'checkout_store', 'payment_succeeded']

/**
 * Tracking numbers of the parcels that have one, by parcel, in the order in which they were given out; and the last
 * serial.
 */
export function numberParcels(
  parcels: readonly ParcelStory[],
  prefix: string,
): { numbers: Map<string, string>; serials: number } {
  const given = parcels
    .flatMap(({ id, name, happened }) => {
      const at = happened.find(({ event }) => numbering.includes(event))?.at
      return at ? [{ id, name, at: at.getTime() }] : []
    })
    .sort((a, b) => a.at - b.at || a.name.localeCompare(b.name))
  return {
    numbers: new Map(given.map(({ id }, index) => [id, makeTrackingNumber(prefix, index + 1)])),
    serials: given.length,
  }
}

const methodOf = ({ story, payments }: Settled): PaymentMethod | null =>
  story.plan.paying === 'store' ? 'store' : (payments.at(-1)?.method ?? null)

/** What a parcel's row takes from its order; `order` is absent for what has none. */
export function parcelMoney(parcel: ParcelStory, order: Settled | undefined, prices: PriceList): ParcelMoney {
  const priced = prices.find(parcel)
  const reweighed = prices.reweighed(parcel)
  const due = parcel.state.status === 'outstanding' ? (reweighed?.dueMinor ?? priced?.price.totalMinor ?? 0) : 0
  // When its time was over, the order let go of its parcels.
  const letGo = order !== undefined && ['abandoned', 'refused'].includes(order.story.plan.paying)
  const fetched = order !== undefined && !letGo && order.story.plan.pickUp
  return {
    priced,
    share: fetched ? (shareOf(parcel, order, prices) ?? null) : null,
    orderId: order && !letGo ? order.story.id : null,
    paidBy: order && !letGo ? methodOf(order) : null,
    pickUpId: order?.pickUpId ?? null,
    actualGrams: reweighed?.grams ?? null,
    dueMinor: due,
  }
}

/** What a parcel bears of its order's pickup. */
function shareOf(parcel: ParcelStory, order: Settled, prices: PriceList): PickupShare | undefined {
  const ids = order.story.parcels.map(({ id }) => id).sort()
  return pickupShares(prices.pickUp(), ids.length)[ids.indexOf(parcel.id)]
}

/** A row of `parcels`. A version is one more than the times it was moved. */
export function parcelRow(
  parcel: ParcelStory,
  trackingNumber: string | null,
  { priced, share, orderId, paidBy, pickUpId, actualGrams, dueMinor }: ParcelMoney,
  currency: string,
  operatorAt: OperatorAt,
): Insertable<DB['parcels']> {
  const { goods, state, mode, happened, destination } = parcel
  const last = happened.at(-1)
  const lastAt = last?.at ?? parcel.createdAt
  const complete = goods !== null && parcel.receiver !== null
  return {
    account_id: parcel.account.id,
    id: parcel.id,
    created_by: parcel.createdBy.id,
    tracking_number: trackingNumber,
    reference: parcel.reference,
    scope: parcel.customs ? 'international' : 'domestic',
    // In a draft the service is still open, or it would be in the cart.
    service_type: priced?.serviceType ?? null,
    service_code: priced?.serviceCode ?? null,
    delivery_mode: mode,
    carrier: priced?.carrier ?? null,
    sender: parcel.sender,
    receiver: parcel.receiver,
    drop_off_station_id: happened.find(({ event }) => event === 'accepted')?.stop?.id ?? null,
    self_collection_station_id: mode[2] === 'P' && complete ? (destination?.id ?? null) : null,
    content_type: goods?.contentType ?? null,
    content_description: goods?.description ?? null,
    declared_value_minor: goods ? goods.valueMinor : null,
    insured_value_minor: goods ? insuredValue(parcel, goods.valueMinor) : null,
    cod_amount_minor: codAmount(parcel),
    collection_mode: codAmount(parcel) === null ? null : 'cod',
    customs: parcel.customs,
    weight_grams: goods?.weightGrams ?? null,
    length_mm: goods?.dimensions?.lengthMm ?? null,
    width_mm: goods?.dimensions?.widthMm ?? null,
    height_mm: goods?.dimensions?.heightMm ?? null,
    volumetric_grams: priced?.price.volumetricGrams ?? null,
    chargeable_grams: priced?.price.chargeableGrams ?? null,
    actual_grams: actualGrams,
    price: priced?.price ?? null,
    price_minor: priced?.price.totalMinor ?? null,
    pickup_fee_minor: share?.feeMinor ?? null,
    pickup_tax_minor: share?.taxMinor ?? null,
    amount_due_minor: dueMinor,
    currency,
    status: state.status,
    leg: state.leg,
    ...whoHas(parcel, operatorAt),
    handed_over: state.handedOver,
    order_id: orderId,
    payment_method: paidBy,
    pickup_request_id: pickUpId,
    expected_date: priced?.expectedDate ?? null,
    last_event_at: lastAt,
    version: 1 + happened.length,
    created_at: parcel.createdAt,
    updated_at: lastAt,
  }
}

/** One in four senders insures what is worth something. */
export function insuredValue({ name }: ParcelStory, valueMinor: number): number | null {
  return valueMinor >= 20_000 && valueMinor <= 300_000 && chanceOf(`insured ${name}`).happens(0.25) ? valueMinor : null
}

/** A member of staff with the station where they work. */
export type Operator = { id: string; stationId: string }
export type OperatorAt = (stop: Stop) => Operator

/** Who has a parcel after all that has happened to it, as the services record it. */
function whoHas({ happened, mode }: ParcelStory, operatorAt: OperatorAt) {
  let custody = { holder: 'customer', station_id: null, rider_id: null, next_station_id: null } as ParcelChanges
  let state: ParcelState = { status: 'pending', deliveryMode: mode, handedOver: false, leg: 'outbound' }
  for (const { event, stop, detail, state: next } of happened) {
    const holder = holderAfter(state, event)
    const by = stop && operatorAt(stop)
    custody = {
      ...custody,
      ...custodyAfter(
        holder,
        { station_id: custody.station_id ?? null },
        {
          actorId: by?.id ?? null,
          // A rider's parcels are those of the station where the rider works.
          stationId: (holder === 'rider' ? by?.stationId : stop?.id) ?? null,
          nextStationId: typeof detail.nextStationId === 'string' ? detail.nextStationId : null,
        },
      ),
    }
    state = next
  }
  return custody
}

/** The town that the public reads: the station's, or for what happens at a door the one where the door is. */
function townOf({ event, stop, state }: Happening, { sender, receiver }: ParcelStory): string | null {
  switch (event) {
    case 'picked_up':
    case 'return_received':
      return sender.city
    case 'return_picked_up':
      return receiver?.city ?? null
    case 'delivered':
    case 'attempt_failed':
      return (state.leg === 'return' ? sender : receiver)?.city ?? null
    default:
      return stop?.city ?? null
  }
}

/**
 * The lines of a parcel's timeline. Scans are made by the operator nearest to the place, the rest by whoever has the
 * parcel, or by nobody.
 */
export function eventRows(
  parcel: ParcelStory,
  payer: Member,
  operatorAt: OperatorAt,
): Insertable<DB['tracking_events']>[] {
  const shared = { account_id: parcel.account.id, parcel_id: parcel.id, note: null }
  const created = {
    ...shared,
    id: idFor(`event ${parcel.name} created`, parcel.createdAt),
    at: parcel.createdAt,
    event: 'created',
    from_status: null,
    status: 'pending',
    leg: 'outbound',
    station_id: null,
    place: null,
    actor_id: parcel.createdBy.id,
    detail: {},
  }
  const moves = parcel.happened.map((happening, index) => line(happening, index))
  return [created, ...moves]

  function line(happening: Happening, index: number) {
    const { event, at, from, state, stop, detail } = happening
    return {
      ...shared,
      id: idFor(`event ${parcel.name} ${index}`, at),
      at,
      event,
      from_status: from,
      status: state.status,
      leg: state.leg,
      station_id: stop?.id ?? null,
      place: townOf(happening, parcel),
      actor_id: stop
        ? operatorAt(stop).id
        : nobodys.includes(event)
          ? null
          : (payers.includes(event) ? payer : parcel.createdBy).id,
      detail,
    }
  }
}

/** Events that the gateway or the clock brings about. */
const nobodys: readonly ParcelEvent[] = ['payment_failed', 'payment_expired', 'refunded']

/** Events that whoever pays brings about. */
const payers: readonly ParcelEvent[] = [
  'checkout_gateway',
  'checkout_credit',
  'checkout_billing',
  'checkout_approval',
  'checkout_store',
  'payment_succeeded',
  'difference_paid',
]

/** Who of the operators works nearest to a station. */
export function nearestOperator(operators: readonly StaffMember[], stops: readonly Stop[]): OperatorAt {
  const placed = operators.flatMap(({ id, stationId }) => {
    const stop = stops.find((known) => known.id === stationId)
    return stop ? [{ id, stop }] : []
  })
  const found = new Map<string, Operator>()
  return (stop) => {
    const known = found.get(stop.id)
    if (known) return known
    const [nearest] = [...placed].sort((a, b) => distanceM(a.stop, stop) - distanceM(b.stop, stop))
    if (!nearest) throw new Error('nobody works at the stations')
    const operator = { id: nearest.id, stationId: nearest.stop.id }
    found.set(stop.id, operator)
    return operator
  }
}

const handOvers: readonly ParcelEvent[] = ['delivered', 'handed_over', 'return_received']

/** The proof of the latest hand-over to somebody; null when there has been none. */
export function proofRow(parcel: ParcelStory, operatorAt: OperatorAt): Insertable<DB['parcel_proofs']> | null {
  const handed = parcel.happened.findLast(({ event }) => handOvers.includes(event))
  if (!handed?.stop) return null
  const chance = chanceOf(`proof ${parcel.name}`)
  const to = handed.state.leg === 'return' ? parcel.sender : parcel.receiver
  return {
    account_id: parcel.account.id,
    parcel_id: parcel.id,
    recipient_name: takenBy(to?.contactName ?? '', handed, chance),
    signature_path: drawSignature(chance),
    at: handed.at,
    actor_id: operatorAt(handed.stop).id,
  }
}

function takenBy(name: string, { event }: Happening, chance: Chance): string {
  if (event === 'handed_over' || chance.happens(0.8)) return name
  return chance.pick(['Guard house', 'Reception', 'Mother', 'Neighbour, no. 12', 'Colleague'])
}
