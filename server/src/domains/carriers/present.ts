// Formats bookings for the API.
import type { CarrierBooking, StaffBooking } from '@waybill/contract/carriers/carriers'
import type { Locale } from '@waybill/contract/ground/constants'
import { type Carrier, carrierLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import type { Translate } from '@waybill/contract/ground/validation'
import type { ShownBooking } from './queries.ts'

type Reader = { locale: Locale; t: Translate; publicUrl: string }

/** The URL of the carrier's tracking page of a parcel, or of ours for a simulated carrier; null if there is none. */
export function carrierTrackingUrl(carrier: Carrier, carrierNumber: string, simulated: boolean, publicUrl: string) {
  if (simulated) return `${publicUrl}/public/track-parcels?no=${carrierNumber}`
  switch (carrier) {
    case 'dhl':
      return `https://www.dhl.com/global-en/home/tracking.html?tracking-id=${carrierNumber}`
    default:
      return null
  }
}

/** A booking as its sender sees it: the problem in our own words. */
export function presentBooking(row: ShownBooking, { locale, t, publicUrl }: Reader): CarrierBooking {
  const carrier = enumLabel(carrierLabels, row.carrier, locale)
  return {
    carrier: row.carrier,
    state: row.state,
    carrierNumber: row.carrier_number,
    trackingUrl: row.carrier_number && carrierTrackingUrl(row.carrier, row.carrier_number, row.simulated, publicUrl),
    hasLabel: row.has_label,
    simulated: row.simulated,
    attempts: row.attempts,
    lastError: row.problem && t(`carrierProblem.${row.problem}`, { carrier }),
    nextTryAt: row.state === 'waiting' ? (row.next_try_at?.toISOString() ?? null) : null,
    bookedAt: row.booked_at?.toISOString() ?? null,
  }
}

/** A booking as staff see it, with the carrier's own message. */
export function presentStaffBooking(row: ShownBooking, reader: Reader): StaffBooking {
  const booking = presentBooking(row, reader)
  return {
    ...booking,
    lastError: booking.lastError && [booking.lastError, row.problem_said].filter(Boolean).join(' '),
    parcelId: row.parcel_id,
    trackingNumber: row.tracking_number,
    cancelling: row.cancel_requested && row.state !== 'cancelled',
    problem: row.problem,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
