import { expect, test } from 'vitest'
import { isBookingOutdated } from '../src/features/parcels/carrier-handover/carrier-booking.tsx'

test('the booking at a carrier is outdated once the carrier has the parcel, or the journey is over', () => {
  const booked = { state: 'booked' } as const
  expect(isBookingOutdated(booked, { withOtherCarrier: false, status: 'pending_dropoff' })).toBe(false)
  expect(isBookingOutdated(booked, { withOtherCarrier: true, status: 'outbound' })).toBe(true)
  expect(isBookingOutdated(booked, { withOtherCarrier: false, status: 'completed' })).toBe(true)
  // A cancelled booking is news.
  expect(isBookingOutdated({ state: 'cancelled' }, { withOtherCarrier: false, status: 'cancel' })).toBe(false)
})
