import type { ParcelStatus } from '@waybill/contract/ground/enums'
import { lookup } from '@waybill/contract/ground/enums'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import type { Journey } from '../parcels/service.ts'
import { nameOnLeg, trackingStatusAt } from '../parcels/status.ts'

/** How a parcel came to its number: one line for strangers, whom it does not concern who pays how. */
const booked = 'booked'

/**
 * Events of a sender's timeline -> what the public reads of them: the same, another name, or (null) nothing. What
 * happens in the cart is not a journey yet, and money is not for the public.
 */
const publicNames: Record<string, string | null> = {
  added_to_cart: null,
  taken_out: null,
  checkout_gateway: null,
  checkout_approval: null,
  payment_failed: null,
  payment_expired: null,
  checkout_abandoned: null,
  checkout_store: booked,
  checkout_credit: booked,
  checkout_billing: booked,
  checkout_approved: booked,
  payment_succeeded: booked,
  due_paid: null,
  reweighed_heavier: null,
  difference_paid: null,
  refunded: null,
}

/** An amount that is due or was given back does not concern the public: where the parcel is, does. */
function publicStatus(status: ParcelStatus, handedOver: boolean): ParcelStatus {
  if (status === 'outstanding') return handedOver ? 'inbound' : 'pending'
  return status === 'refunded' ? 'cancel' : status
}

/** A parcel as anybody may see it, listed field by field. */
export function presentPublic(journey: Journey): PublicTracking {
  // Newest first: whatever is before this line happened on the way back.
  const turned = journey.events.findIndex(({ event }) => event === 'return_picked_up')
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
    events: journey.events.flatMap(({ at, event: written, status, place }, index) => {
      const event = nameOnLeg(written, index < turned ? 'return' : 'outbound')
      const renamed = lookup(publicNames, event)
      const name = renamed === undefined ? event : renamed
      if (name === null) return []
      const trackingStatus = trackingStatusAt(status, event)
      return { at: new Date(at).toISOString(), event: name, status: publicStatus(status, false), trackingStatus, place }
    }),
  }
}
