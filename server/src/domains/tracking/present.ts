// Parcels as the public sees them.
import type { ParcelStatus } from '@waybill/contract/ground/enums'
import { lookup } from '@waybill/contract/ground/enums'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import { nameOnLeg, trackingStatusAt } from '../parcels/status.ts'
import type { Journey } from '../parcels/timeline/service.ts'

/** The public event for all kinds of checkout: how a parcel was paid is not public. */
const bookedEvent = 'booked'

/**
 * Timeline events -> their public name, null: not public. All other events are public under their own name. The cart
 * is not yet part of the journey, and money is not public.
 */
const publicNames: Record<string, string | null> = {
  added_to_cart: null,
  taken_out: null,
  checkout_gateway: null,
  checkout_approval: null,
  payment_failed: null,
  payment_expired: null,
  checkout_abandoned: null,
  checkout_store: bookedEvent,
  checkout_credit: bookedEvent,
  checkout_billing: bookedEvent,
  checkout_approved: bookedEvent,
  payment_succeeded: bookedEvent,
  due_paid: null,
  reweighed_heavier: null,
  difference_paid: null,
  refunded: null,
}

/** The public status, which does not reveal amounts due or refunds. */
function publicStatus(status: ParcelStatus, handedOver: boolean): ParcelStatus {
  if (status === 'outstanding') return handedOver ? 'inbound' : 'pending'
  return status === 'refunded' ? 'cancel' : status
}

/** The public view of a parcel, field by field, so that no new field becomes public by mistake. */
export function presentPublic(journey: Journey): PublicTracking {
  // Events are newest first: those before this index happened on the return leg.
  const returnIndex = journey.events.findIndex(({ event }) => event === 'return_picked_up')
  return {
    trackingNumber: journey.trackingNumber,
    trackingStatus: journey.trackingStatus,
    status: publicStatus(journey.status, journey.handedOver),
    leg: journey.leg,
    serviceType: journey.serviceType,
    deliveryMode: journey.deliveryMode,
    originCity: journey.originCity,
    destinationCity: journey.destinationCity,
    expectedDate: journey.expectedDate,
    promisedDate: journey.promisedDate,
    collectUntil: journey.collectUntil,
    events: journey.events.flatMap(({ at, event: rawEvent, status, place }, index) => {
      const event = nameOnLeg(rawEvent, index < returnIndex ? 'return' : 'outbound')
      const publicName = lookup(publicNames, event)
      const name = publicName === undefined ? event : publicName
      if (name === null) return []
      const trackingStatus = trackingStatusAt(status, event)
      return { at: new Date(at).toISOString(), event: name, status: publicStatus(status, false), trackingStatus, place }
    }),
  }
}
