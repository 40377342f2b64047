// Parcels as the contract has them.
import type { Attachment } from '@waybill/contract/attachments/attachments'
import type { Translate } from '@waybill/contract/ground/validation'
import type { Parcel, ParcelDetail, TrackingEvent } from '@waybill/contract/parcels/parcels'
import type { Deps } from '../../deps.ts'
import type { AnyCaller } from '../../http/caller.ts'
import { dayIn } from '../../lib/clock.ts'
import type { Station } from '../stations/queries.ts'
import { allowedActions } from './access.ts'
import { isWithOtherCarrier } from './carrier-handover/with-other-carrier.ts'
import { paidPrice } from './cart/share-pickup.ts'
import type { ParcelRow } from './queries.ts'
import { expectedDays, getDimensions, missingFields } from './rules.ts'
import { nameOnLeg, type ParcelEvent, toTrackingStatus, trackingStatusAt } from './status.ts'
import type { EventRow, ProofRow } from './timeline/queries.ts'

/** Formats a parcel for its sender or for staff, with the actions that the caller may take. */
export function presentParcel(deps: Deps, row: ParcelRow, caller: AnyCaller): Parcel {
  const price = paidPrice(row)
  return {
    id: row.id,
    version: row.version,
    trackingNumber: row.tracking_number,
    reference: row.reference,
    scope: row.scope,
    serviceType: row.service_type,
    serviceCode: row.service_code,
    deliveryMode: row.delivery_mode,
    carrier: row.carrier,
    sender: row.sender,
    receiver: row.receiver,
    dropOffStationId: row.drop_off_station_id,
    selfCollectionStationId: row.self_collection_station_id,
    contentType: row.content_type,
    contentDescription: row.content_description,
    declaredValueMinor: row.declared_value_minor,
    insuredValueMinor: row.insured_value_minor,
    collectionMode: row.collection_mode,
    codAmountMinor: row.cod_amount_minor,
    customs: row.customs,
    photoIds: row.photo_ids ?? [],
    unfinished: row.unfinished,
    overrides: row.shipped_anyway ?? [],
    weightGrams: row.weight_grams,
    dimensions: getDimensions(row),
    volumetricGrams: row.volumetric_grams,
    chargeableGrams: row.chargeable_grams,
    actualGrams: row.actual_grams,
    price,
    priceMinor: price?.totalMinor ?? row.price_minor,
    amountDueMinor: row.amount_due_minor,
    currency: row.currency,
    status: row.status,
    trackingStatus: toTrackingStatus(row.status, row.handed_over),
    leg: row.leg,
    orderId: row.order_id,
    pickupRequestId: row.pickup_request_id,
    batchId: row.batch_id,
    gunnyId: row.gunny_id,
    ...expectedDays(row, dayIn(deps.clock.now(), deps.settings.get('timezone'))),
    collectUntil: row.status === 'inbound' ? row.collect_until : null,
    missing: row.status === 'pending' ? missingFields(row) : [],
    allowedActions: allowedActions(deps, row, caller),
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Events at a door. Their station is the rider's, not the place of the parcel. */
const doorEvents: ReadonlySet<string> = new Set<ParcelEvent>([
  'picked_up',
  'return_picked_up',
  'delivered',
  'attempt_failed',
])

/**
 * Formats a timeline entry for the sender and staff, with the reason of a failed attempt in the reader's language.
 * `stations`: the stations of the entries by id.
 */
export function toTimelineEvent(
  event: EventRow,
  stations: ReadonlyMap<string, Station>,
  t: Translate,
  photos: readonly Photo[] = [],
): TrackingEvent {
  const reason =
    typeof event.detail.failureReason === 'string' ? t(`failureReason.${event.detail.failureReason}`) : null
  const recalled = typeof event.detail.recallReason === 'string' ? t(`recallReason.${event.detail.recallReason}`) : null
  return {
    id: event.id,
    at: event.at.toISOString(),
    event: nameOnLeg(event.event, event.leg),
    status: event.status,
    trackingStatus: trackingStatusAt(event.status, event.event),
    place: event.place,
    station: doorEvents.has(event.event) ? null : (stations.get(event.station_id ?? '')?.name ?? null),
    stationId: event.station_id,
    note: [reason, recalled, event.note].filter(Boolean).join(' · ') || null,
    ...(photos.length > 0 ? { photos: photos.map(presentPhoto) } : {}),
  }
}

/** The event that took the parcel out of the cart. `events`: newest first. */
export const lastCheckout = (events: readonly Pick<EventRow, 'from_status' | 'event'>[]): string | undefined =>
  events.find(({ from_status }) => from_status === 'incart')?.event

type Photo = Pick<Attachment, 'id' | 'link'>
const presentPhoto = ({ id, link }: Photo): Photo => ({ id, link })

/** The related data of a parcel; events are newest first. */
type RelatedData = {
  events: readonly EventRow[]
  proof: ProofRow | null
  photos: readonly Photo[]
  proofPhotos: readonly Photo[]
  /** The photos of failed attempts, by the id of their event. */
  attemptPhotos: ReadonlyMap<string, readonly Photo[]>
  /** The stations of the parcel and of its events. */
  stationsById: ReadonlyMap<string, Station>
  gunnyNumber: string | null
  createdByName: string | null
  atLastStation: boolean
}

/** Formats a parcel in full detail, with its timeline, proof and photos. */
export function presentDetail(
  deps: Deps,
  row: ParcelRow,
  { events, proof, photos, proofPhotos, attemptPhotos, stationsById, ...names }: RelatedData,
  caller: AnyCaller,
  t: Translate,
): ParcelDetail {
  return {
    ...presentParcel(deps, row, caller),
    ...names,
    returnPickupId: row.return_pickup_id,
    stations: {
      dropOff: stationsById.get(row.drop_off_station_id ?? '')?.name ?? null,
      selfCollection: stationsById.get(row.self_collection_station_id ?? '')?.name ?? null,
    },
    waitsForApproval: row.status === 'pending_payment' && lastCheckout(events) === 'checkout_approval',
    withOtherCarrier: isWithOtherCarrier(row),
    events: events.map((event) => toTimelineEvent(event, stationsById, t, attemptPhotos.get(event.id))),
    photos: photos.map(presentPhoto),
    proof: proof && {
      at: proof.at.toISOString(),
      recipientName: proof.recipient_name,
      signaturePath: proof.signature_path,
      photos: proofPhotos.map(presentPhoto),
    },
  }
}
