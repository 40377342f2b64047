/** Bookings of parcels at other carriers, for senders and for staff. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { carrierLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, idParams, instant, version } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia, tabCounts } from '../ground/paging.ts'
import type { Look } from '../ground/status/status-look.ts'

/**
 * The state of a booking at another carrier. `waiting`: not confirmed yet, and retried automatically. `failed`:
 * refused, or out of retries, so staff must act.
 */
export const bookingStates = ['waiting', 'booked', 'failed', 'cancelled'] as const
export type BookingState = (typeof bookingStates)[number]

export const bookingStateLooks = {
  waiting: { tone: 'waiting', icon: 'clock' },
  booked: { tone: 'success', icon: 'check' },
  failed: { tone: 'danger', icon: 'alert' },
  cancelled: { tone: 'neutral', icon: 'cross' },
} as const satisfies Record<BookingState, Look>

/** Why a carrier call failed: a key under `carrierProblem.` in the locale files. */
export const carrierProblems = [
  'unreachable',
  'busy',
  'broken',
  'credentials',
  'refused',
  'nonsense',
  'closed',
  'incomplete',
] as const
export type CarrierProblem = (typeof carrierProblems)[number]

/** A parcel's booking at its carrier, for its sender and for staff. */
export const carrierBooking = z.object({
  carrier: z.enum(labelValues(carrierLabels)),
  state: z.enum(bookingStates),
  /** The carrier's own tracking number. */
  carrierNumber: z.nullable(z.string()),
  /** The carrier's tracking page for the parcel. */
  trackingUrl: z.nullable(z.string()),
  /** Whether the carrier's label can be downloaded (`carriers.label`). */
  hasLabel: z.boolean(),
  /** Simulated by this server for the demo: no parcel moves. */
  simulated: z.boolean(),
  attempts: z.number(),
  /** The last problem, in the reader's language; null when there was none. */
  lastError: z.nullable(z.string()),
  /** When the next attempt is due; null: no further attempt. */
  nextTryAt: z.nullable(instant),
  bookedAt: z.nullable(instant),
})
export type CarrierBooking = z.output<typeof carrierBooking>

export const getCarrierBooking = endpoint({
  id: 'carriers.booking',
  method: 'GET',
  path: '/api/customer/parcels/:id/carrier-booking',
  access: 'customer.view',
  summary: "The parcel's booking at another carrier; null while there is none (own network, not paid yet)",
  params: idParams,
  response: z.object({ booking: z.nullable(carrierBooking) }),
})

export const getCarrierLabel = endpoint({
  id: 'carriers.label',
  method: 'GET',
  path: '/api/customer/parcels/:id/carrier-label',
  access: 'customer.view',
  summary: "The carrier's own label as PDF, to be stuck on beside our note; 404 until the carrier has given it",
  params: idParams,
  media: 'application/pdf',
})

/** A booking in the list of staff. Actions on it send `version` back. */
export const staffBooking = z.extend(carrierBooking, {
  parcelId: id,
  trackingNumber: z.string(),
  /** The sender has cancelled; the carrier has not confirmed it yet. */
  cancelling: z.boolean(),
  problem: z.nullable(z.enum(carrierProblems)),
  version,
  createdAt: instant,
  updatedAt: instant,
})
export type StaffBooking = z.output<typeof staffBooking>

export const bookingTabs = ['attention', 'waiting', 'booked', 'cancelled', 'all'] as const
export type BookingTab = (typeof bookingTabs)[number]

const bookingFilters = {
  tab: z._default(z.enum(bookingTabs), 'attention' as const),
  carrier: z.optional(z.enum(labelValues(carrierLabels))),
  /** The beginning of a tracking number, ours or the carrier's. */
  search: z.optional(z.string().check(z.maxLength(40))),
}

export const exportCarrierBookings = endpoint({
  id: 'staff.carrierBookingsXls',
  method: 'GET',
  path: '/api/staff/carriers/bookings/xls',
  access: 'staff.operate',
  summary: 'The bookings that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...bookingFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listCarrierBookings = endpoint({
  id: 'staff.carrierBookings',
  method: 'GET',
  path: '/api/staff/carriers/bookings',
  access: 'staff.operate',
  summary: 'Bookings at other carriers, newest first; the tab `attention` lists those that staff must handle',
  query: z.extend(listQuery(['updatedAt']), bookingFilters),
  response: z.extend(page(staffBooking), { counts: tabCounts(bookingTabs) }),
})

export const listCarriers = endpoint({
  id: 'staff.carriers',
  method: 'GET',
  path: '/api/staff/carriers',
  access: 'staff.operate',
  summary: 'Every carrier: open or closed (and why), simulated or real',
  response: z.object({
    items: z.array(
      z.object({
        carrier: z.enum(labelValues(carrierLabels)),
        open: z.boolean(),
        /** The outcome in the reader's language; null while it is open. */
        reason: z.nullable(z.string()),
        simulated: z.boolean(),
      }),
    ),
  }),
})

const act = { params: idParams, body: z.object({ version }), response: staffBooking }

export const retryCarrierBooking = endpoint({
  id: 'staff.retryCarrierBooking',
  method: 'POST',
  path: '/api/staff/carriers/bookings/:id/retry',
  access: 'staff.operate',
  summary: 'Retries a booking at once with a new count of attempts; `id` is the parcel. A stale version answers 409',
  ...act,
})

export const cancelCarrierBooking = endpoint({
  id: 'staff.cancelCarrierBooking',
  method: 'POST',
  path: '/api/staff/carriers/bookings/:id/cancel',
  access: 'staff.operate',
  summary: 'Cancels the booking, also at the carrier if it may have reached it. A stale version answers 409',
  ...act,
})
