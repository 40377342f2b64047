/** One search over everything that a caller may see: the box in the top bar. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { legLabels, parcelStatusLabels } from '../ground/enums/parcel-enums.ts'
import { id } from '../ground/fields.ts'

/** The kinds of hits, in the order in which they are shown. */
export const searchKinds = [
  'parcel',
  'order',
  'invoice',
  'gunny',
  'bag',
  'trip',
  'pickup',
  'carrier_booking',
  'ticket',
  'account',
  'user',
  'colleague',
  'refund',
  'rate_card',
  'banner',
  'address',
  'station',
] as const
export type SearchKind = (typeof searchKinds)[number]

/** The maximum number of hits of one kind. The lists of the kinds show the rest. */
export const maxHitsPerKind = 5

export const searchHit = z.object({
  kind: z.enum(searchKinds),
  /** The id of the record that the hit opens: for an invoice, its order. */
  id: z.string(),
  /** A number or a name. */
  title: z.string(),
  /** Data that distinguishes it from others: a receiver, a place, a day. Never a translated text. */
  detail: z.string(),
})
export type SearchHit = z.output<typeof searchHit>

/** Lists find nothing for a longer text. */
export const longestText = 80

const q = z.string().check(z.trim(), z.minLength(2), z.maxLength(120))
const query = z.object({ q })
const response = z.object({ items: z.array(searchHit) })

export const searchAll = endpoint({
  id: 'search.all',
  method: 'GET',
  path: '/api/customer/search',
  access: 'customer.view',
  summary: 'The first hits of every kind for a number, name or phone; only kinds that the caller may see',
  query,
  response,
})

export const searchAllForStaff = endpoint({
  id: 'search.staff',
  method: 'GET',
  path: '/api/staff/search',
  access: 'staff.any',
  summary: 'The first hits of every kind for a number, name or phone; only kinds that the role may see',
  query,
  response,
})

/** A parcel that staff found without its number. */
export const foundParcel = z.object({
  id,
  trackingNumber: z.string(),
  status: z.enum(labelValues(parcelStatusLabels)),
  leg: z.enum(labelValues(legLabels)),
  receiverName: z.string(),
  receiverCity: z.string(),
  /** The sender's account. */
  accountName: z.string(),
})
export type FoundParcel = z.output<typeof foundParcel>

/** The maximum number of parcels that a counter can choose from. */
export const maxFoundParcels = 20

export const searchParcelsForStaff = endpoint({
  id: 'search.parcels',
  method: 'GET',
  path: '/api/staff/search/parcels',
  access: 'staff.parcels',
  summary:
    'Parcels by the number of their order or the receiver’s phone; by a name, or a part of a phone, only those that ' +
    'wait at the station to be collected',
  /** `stationId`: for staff who work at no station. */
  query: z.object({ q, stationId: z.optional(id) }),
  response: z.object({ items: z.array(foundParcel), more: z.boolean() }),
})
