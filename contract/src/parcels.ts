import * as z from 'zod/mini'
import { party } from './addresses.ts'
import { endpoint } from './endpoint.ts'
import {
  carrierLabels,
  contentTypeLabels,
  deliveryModeLabels,
  legLabels,
  parcelStatusLabels,
  scopeLabels,
  serviceTypeLabels,
  trackingStatusLabels,
  valuesOf,
} from './enums.ts'
import { commaSeparated, day, id, idParams, instant, ok, optionalText, version } from './fields.ts'
import { dimensions, weightGrams } from './measures.ts'
import { listQuery, page } from './paging.ts'
import { priceBreakdown } from './pricing.ts'

/** What a sender writes. Everything but the scope may still be missing: a draft is never lost (status `pending`). */
export const parcelInput = z.object({
  reference: optionalText(60),
  scope: z._default(z.enum(valuesOf(scopeLabels)), 'domestic' as const),
  serviceType: z._default(z.nullable(z.enum(valuesOf(serviceTypeLabels))), null),
  deliveryMode: z._default(z.nullable(z.enum(valuesOf(deliveryModeLabels))), null),
  carrier: z._default(z.nullable(z.enum(valuesOf(carrierLabels))), null),
  sender: z._default(z.nullable(party), null),
  receiver: z._default(z.nullable(party), null),
  dropOffStationId: z._default(z.nullable(id), null),
  selfCollectionStationId: z._default(z.nullable(id), null),
  contentType: z._default(z.nullable(z.enum(valuesOf(contentTypeLabels))), null),
  contentDescription: optionalText(120),
  declaredValueMinor: z._default(z.nullable(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000))), null),
  insuredValueMinor: z._default(z.nullable(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000))), null),
  codAmountMinor: z._default(z.nullable(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000))), null),
  weightGrams: z._default(z.nullable(weightGrams), null),
  dimensions: z._default(z.nullable(dimensions), null),
})
export type ParcelInput = z.output<typeof parcelInput>

/** What a sender or staff may do with a parcel now; the server says, the screen shows. */
export const parcelActions = [
  'edit',
  'add_to_cart',
  'take_out_of_cart',
  'remove',
  'checkout',
  'pay_outstanding',
  'cancel',
  'recall',
  'return',
  'print_note',
  'repeat',
] as const
export type ParcelAction = (typeof parcelActions)[number]

/** Fields that still miss before the parcel can go to the cart: names of `parcelInput`'s fields. */
const missing = z.array(z.string())

export const parcel = z.object({
  id,
  version,
  trackingNumber: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  scope: z.enum(valuesOf(scopeLabels)),
  serviceType: z.nullable(z.enum(valuesOf(serviceTypeLabels))),
  serviceCode: z.nullable(z.string()),
  deliveryMode: z.nullable(z.enum(valuesOf(deliveryModeLabels))),
  carrier: z.nullable(z.enum(valuesOf(carrierLabels))),
  sender: z.nullable(party),
  receiver: z.nullable(party),
  dropOffStationId: z.nullable(id),
  selfCollectionStationId: z.nullable(id),
  contentType: z.nullable(z.enum(valuesOf(contentTypeLabels))),
  contentDescription: z.nullable(z.string()),
  declaredValueMinor: z.nullable(z.number()),
  insuredValueMinor: z.nullable(z.number()),
  codAmountMinor: z.nullable(z.number()),
  weightGrams: z.nullable(z.number()),
  dimensions: z.nullable(dimensions),
  volumetricGrams: z.nullable(z.number()),
  chargeableGrams: z.nullable(z.number()),
  actualGrams: z.nullable(z.number()),
  price: z.nullable(priceBreakdown),
  priceMinor: z.nullable(z.number()),
  amountDueMinor: z.number(),
  currency: z.string(),
  status: z.enum(valuesOf(parcelStatusLabels)),
  trackingStatus: z.enum(valuesOf(trackingStatusLabels)),
  leg: z.enum(valuesOf(legLabels)),
  orderId: z.nullable(id),
  expectedDate: z.nullable(day),
  missing,
  allowedActions: z.array(z.enum(parcelActions)),
  createdBy: id,
  createdAt: instant,
  updatedAt: instant,
})
export type Parcel = z.output<typeof parcel>

/** One line of a timeline as its sender sees it. `event` names the transition: label `event.<event>` in the locale files. */
export const trackingEvent = z.object({
  id,
  at: instant,
  event: z.string(),
  status: z.enum(valuesOf(parcelStatusLabels)),
  trackingStatus: z.enum(valuesOf(trackingStatusLabels)),
  place: z.nullable(z.string()),
  stationId: z.nullable(id),
  note: z.nullable(z.string()),
})
export type TrackingEvent = z.output<typeof trackingEvent>

export const proof = z.object({
  at: instant,
  recipientName: z.string(),
  /** An SVG path in a 600 x 200 box, as drawn. */
  signaturePath: z.nullable(z.string()),
})

export const parcelDetail = z.extend(parcel, { events: z.array(trackingEvent), proof: z.nullable(proof) })
export type ParcelDetail = z.output<typeof parcelDetail>

const base = '/api/customer/parcels'
const ids = z.array(id).check(z.minLength(1), z.maxLength(10_000))
/** Ids of a path or query, comma separated. */
const idList = (max: number) => z.pipe(commaSeparated(max), z.array(id).check(z.minLength(1), z.maxLength(max)))

/** Tabs of the parcels screen. */
export const parcelTabs = [
  'all',
  'draft',
  'unpaid',
  'to_hand_over',
  'moving',
  'delivered',
  'problem',
  'cancelled',
] as const
export type ParcelTab = (typeof parcelTabs)[number]

/** Counting stops here, so that the list of a huge account is as fast as a small one's; a count this high means "so many or more". */
export const parcelCountLimits = { total: 10_000, tab: 1_000 } as const

export const listParcels = endpoint({
  id: 'parcels.list',
  method: 'GET',
  path: base,
  access: 'customer.view',
  summary: 'The parcels of the account (own only without parcels.view_all), with counts by tab',
  query: z.extend(listQuery(['createdAt', 'updatedAt', 'status', 'receiverName']), {
    tab: z._default(z.enum(parcelTabs), 'all' as const),
    search: z.optional(z.string().check(z.maxLength(120))),
    status: z.optional(z.enum(valuesOf(parcelStatusLabels))),
    serviceType: z.optional(z.enum(valuesOf(serviceTypeLabels))),
    deliveryMode: z.optional(z.enum(valuesOf(deliveryModeLabels))),
    from: z.optional(day),
    to: z.optional(day),
  }),
  /** `total` and `counts` stop at `parcelCountLimits`; deeper pages are still there to be asked for. */
  response: z.extend(page(parcel), { counts: z.record(z.enum(parcelTabs), z.number()) }),
})

export const createParcel = endpoint({
  id: 'parcels.create',
  method: 'POST',
  path: base,
  access: 'parcels.create',
  summary:
    'Creates a parcel; incomplete ones stay drafts. `addToCart` asks for a price and puts a complete one in the cart',
  body: z.extend(parcelInput, { addToCart: z._default(z.boolean(), false) }),
  response: parcel,
})

export const updateParcel = endpoint({
  id: 'parcels.update',
  method: 'PUT',
  path: base,
  access: 'parcels.create',
  summary: 'Edits a draft or a parcel in the cart; a stale version answers 409',
  body: z.extend(parcelInput, { id, version, addToCart: z._default(z.boolean(), false) }),
  response: parcel,
})

export const getParcel = endpoint({
  id: 'parcels.get',
  method: 'GET',
  path: `${base}/:id`,
  access: 'customer.view',
  summary: 'One parcel with its timeline and proof of delivery',
  params: idParams,
  response: parcelDetail,
})

export const getParcelByNumber = endpoint({
  id: 'parcels.trackno',
  method: 'GET',
  path: `${base}/trackno/:no`,
  access: 'customer.view',
  summary: 'One parcel by tracking number; the check digit is verified first',
  params: z.object({ no: z.string().check(z.minLength(1), z.maxLength(40)) }),
  response: parcelDetail,
})

export const getParcels = endpoint({
  id: 'parcels.multiple',
  method: 'GET',
  path: `${base}/multiple/:ids`,
  access: 'customer.view',
  summary: 'Several parcels by id, comma separated',
  params: z.object({ ids: idList(200) }),
  response: z.object({ items: z.array(parcel) }),
})

export const trackParcels = endpoint({
  id: 'parcels.tracks',
  method: 'POST',
  path: `${base}/tracks`,
  access: 'customer.view',
  summary: 'Own parcels by tracking number, full detail',
  body: z.object({ numbers: z.array(z.string().check(z.maxLength(40))).check(z.minLength(1), z.maxLength(200)) }),
  response: z.object({ items: z.array(parcelDetail), notFound: z.array(z.string()) }),
})

export const cartTabs = ['pickup', 'dropoff'] as const

export const getCart = endpoint({
  id: 'parcels.cart',
  method: 'GET',
  path: `${base}/cart`,
  access: 'customer.view',
  summary: 'Parcels in the cart; tab pickup (D2*) or dropoff (P2*), since each checks out differently',
  query: z.extend(listQuery(['createdAt']), { tab: z._default(z.enum(cartTabs), 'pickup' as const) }),
  response: page(parcel),
})

export const cartCount = endpoint({
  id: 'parcels.cartCount',
  method: 'GET',
  path: `${base}/cartCount`,
  access: 'customer.view',
  summary: 'How many parcels are in the cart, by tab',
  response: z.object({ count: z.number(), pickup: z.number(), dropoff: z.number() }),
})

export const addToCart = endpoint({
  id: 'parcels.addToCart',
  method: 'POST',
  path: `${base}/cart`,
  access: 'parcels.create',
  summary: 'Prices complete drafts and puts them in the cart; incomplete ones answer 422 with what misses',
  body: z.object({ ids }),
  response: z.object({ items: z.array(parcel) }),
})

export const takeOutOfCart = endpoint({
  id: 'parcels.takeOutOfCart',
  method: 'POST',
  path: `${base}/cart/take-out`,
  access: 'parcels.create',
  summary: 'Turns parcels of the cart back into drafts',
  body: z.object({ ids }),
  response: z.object({ items: z.array(parcel) }),
})

export const removeParcels = endpoint({
  id: 'parcels.remove',
  method: 'POST',
  path: `${base}/remove`,
  access: 'parcels.create',
  summary: 'Removes drafts and parcels of the cart for good',
  body: z.object({ ids }),
  response: ok,
})

const measured = z.object({
  volumetricGrams: z.number(),
  chargeableGrams: z.number(),
  divisor: z.number(),
  stepGrams: z.number(),
})

export const calculateVweight = endpoint({
  id: 'parcels.calculateVweight',
  method: 'POST',
  path: `${base}/calculate-vweight`,
  access: 'public',
  summary: 'Volumetric and chargeable weight of one parcel',
  body: z.extend(dimensions, {
    weightGrams: z.optional(weightGrams),
    carrier: z._default(z.enum(valuesOf(carrierLabels)), 'own' as const),
  }),
  response: measured,
})

export const calculateMultipleVweight = endpoint({
  id: 'parcels.calculateMultipleVweight',
  method: 'POST',
  path: `${base}/calculate-multiple-vweight`,
  access: 'public',
  summary: 'Volumetric and chargeable weights of several parcels and their sums',
  body: z.object({
    items: z
      .array(z.extend(dimensions, { weightGrams: z.optional(weightGrams) }))
      .check(z.minLength(1), z.maxLength(1000)),
    carrier: z._default(z.enum(valuesOf(carrierLabels)), 'own' as const),
  }),
  response: z.object({ items: z.array(measured), totalVolumetricGrams: z.number(), totalChargeableGrams: z.number() }),
})

export const generateNotes = endpoint({
  id: 'parcels.generateCn',
  method: 'GET',
  path: `${base}/generate-cn`,
  access: 'customer.view',
  summary: 'Consignment notes as one PDF, for any number of parcels, in the order of the ids',
  query: z.object({ ids: idList(1000), format: z._default(z.enum(['a6']), 'a6' as const) }),
  media: 'application/pdf',
})
