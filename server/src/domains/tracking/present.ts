// Parcels as the public sees them.

import { lookup } from '@waybill/contract/ground/enums/labels'
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { isTrackingEnded } from '@waybill/contract/ground/status/tracking-status'
import type { NextStep, PublicTracking } from '@waybill/contract/tracking/tracking'
import { nameOnLeg, trackingStatusAt } from '../parcels/status.ts'
import type { TimelineEvent } from '../parcels/timeline/events.ts'
import type { Journey } from '../parcels/timeline/service.ts'

/** The public event for all kinds of checkout: how a parcel was paid is not public. */
const bookedEvent = 'booked'

/**
 * Timeline events -> their public name, null: not public. An event without a line is not public either. The cart is not
 * yet part of the journey, and money is not public.
 */
const publicNames: Record<TimelineEvent, string | null> = {
  created: 'created',
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
  picked_up: 'picked_up',
  accepted: 'accepted',
  reweighed_heavier: null,
  difference_paid: null,
  difference_waived: null,
  sorted: 'sorted',
  departed: 'departed',
  arrived: 'arrived',
  out_for_delivery: 'out_for_delivery',
  delivered: 'delivered',
  handed_over: 'handed_over',
  attempt_failed: 'attempt_failed',
  next_attempt: 'next_attempt',
  retry_chosen: 'retry_chosen',
  address_corrected: 'address_corrected',
  redirected: 'redirected',
  diverted: 'diverted',
  recalled: 'recalled',
  return_requested: 'return_requested',
  return_picked_up: 'return_picked_up',
  return_received: 'return_received',
  scan_undone: 'scan_undone',
  carrier_note: 'carrier_note',
  carrier_on_hold: 'carrier_on_hold',
  carrier_customs: 'carrier_customs',
  carrier_customs_cleared: 'carrier_customs_cleared',
  carrier_customs_delay: 'carrier_customs_delay',
  carrier_awaiting_collection: 'carrier_awaiting_collection',
  lost: 'lost',
  cancelled: 'cancelled',
  refunded: null,
}

/** The public status, which does not reveal amounts due or refunds. */
function publicStatus(status: ParcelStatus, handedOver: boolean): ParcelStatus {
  if (status === 'outstanding') return handedOver ? 'inbound' : 'pending'
  return status === 'refunded' ? 'cancel' : status
}

/** Which sentence the page shows. It is decided here, because only the server knows where a journey ends. */
function nextStep({ leg, status, trackingStatus, awaitsChoice, collectUntil, atLastStation }: Journey): NextStep {
  if (trackingStatus === 'lost') return 'lost'
  if (leg === 'return') return isTrackingEnded(trackingStatus) ? 'returned' : 'return'
  if (status === 'fail-to-deliver') return awaitsChoice ? 'failed' : 'retry'
  if (collectUntil !== null) return 'collect'
  return atLastStation ? 'last_station' : trackingStatus
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
    next: nextStep(journey),
    awaitsChoice: journey.awaitsChoice,
    collectUntil: journey.collectUntil,
    events: journey.events.flatMap(({ at, event: rawEvent, status, place }, index) => {
      const event = nameOnLeg(rawEvent, index < returnIndex ? 'return' : 'outbound')
      const name = lookup(publicNames, event) ?? null
      if (name === null) return []
      const trackingStatus = trackingStatusAt(status, event)
      return { at: new Date(at).toISOString(), event: name, status: publicStatus(status, false), trackingStatus, place }
    }),
  }
}
