import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { carrierLabels, labelValues } from '../ground/enums.ts'
import { id, idParams, instant, version } from '../ground/fields.ts'
import { listQuery, page } from '../ground/paging.ts'
import type { Look } from '../ground/status-look.ts'

/**
 * Where the booking of a parcel at another carrier stands. `waiting`: the carrier has not confirmed it yet, and is
 * asked again by itself; `failed`: it was asked often enough, or refused: somebody has to look.
 */
export const bookingStates = ['waiting', 'booked', 'failed', 'cancelled'] as const
export type BookingState = (typeof bookingStates)[number]

export const bookingStateLooks = {
  waiting: { tone: 'waiting', icon: 'clock' },
  booked: { tone: 'success', icon: 'check' },
  failed: { tone: 'danger', icon: 'alert' },
  cancelled: { tone: 'neutral', icon: 'cross' },
} as const satisfies Record<BookingState, Look>

/** Why a carrier did not do what it was asked: a key under `carrierProblem.` in the locale files. */
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

/** A parcel's booking at its carrier, as its sender and staff see it. */
export const carrierBooking = z.object({
  carrier: z.enum(labelValues(carrierLabels)),
  state: z.enum(bookingStates),
  /** The number that the carrier gave the parcel. */
  carrierNumber: z.nullable(z.string()),
  /** The carrier's own page about the parcel. */
  trackingUrl: z.nullable(z.string()),
  /** The carrier's label can be had (`carriers.label`). */
  hasLabel: z.boolean(),
  /** Played by this server, for demonstrations: no parcel moves. */
  simulated: z.boolean(),
  attempts: z.number(),
  /** What went wrong last, in the reader's language; null when nothing did. */
  lastError: z.nullable(z.string()),
  /** When the carrier is asked again; null when it is not. */
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

/** A line of the staff's list. `version` goes with what is done about it. */
export const staffBooking = z.extend(carrierBooking, {
  parcelId: id,
  trackingNumber: z.string(),
  /** Cancelled by the sender, and the carrier has not confirmed that yet. */
  cancelling: z.boolean(),
  problem: z.nullable(z.enum(carrierProblems)),
  version,
  createdAt: instant,
  updatedAt: instant,
})
export type StaffBooking = z.output<typeof staffBooking>

export const bookingTabs = ['attention', 'waiting', 'booked', 'cancelled', 'all'] as const
export type BookingTab = (typeof bookingTabs)[number]

export const listCarrierBookings = endpoint({
  id: 'staff.carrierBookings',
  method: 'GET',
  path: '/api/staff/carriers/bookings',
  access: 'staff.operate',
  summary: 'Bookings at other carriers; tab attention lists those that need somebody. Newest first',
  query: z.extend(listQuery(['updatedAt']), {
    tab: z._default(z.enum(bookingTabs), 'attention' as const),
    carrier: z.optional(z.enum(labelValues(carrierLabels))),
    /** A tracking number, ours or the carrier's, from its beginning. */
    search: z.optional(z.string().check(z.maxLength(40))),
  }),
  /** `total` and `counts` stop at 1000: so many or more. */
  response: z.extend(page(staffBooking), { counts: z.record(z.enum(bookingTabs), z.number()) }),
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
        /** In the reader's language; null while it is open. */
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
  summary: 'Asks the carrier again now, with all tries anew; `id` is the parcel. A stale version answers 409',
  ...act,
})

export const cancelCarrierBooking = endpoint({
  id: 'staff.cancelCarrierBooking',
  method: 'POST',
  path: '/api/staff/carriers/bookings/:id/cancel',
  access: 'staff.operate',
  summary: 'Gives up the booking; one that the carrier may have is cancelled there too. A stale version answers 409',
  ...act,
})
