/** The cart: parcels in and out of it, and changes to parcels that are not paid yet. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { carrierLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { serviceTypeLabels } from '../ground/enums/parcel-enums.ts'
import { id, idParams, ok, version } from '../ground/fields.ts'
import { positiveMinorAmount } from '../ground/money.ts'
import { listQuery, page } from '../ground/paging.ts'
import { parcel } from './parcels.ts'

const base = '/api/customer/parcels'
/** The number of parcels that one order can have. */
export const mostInCheckout = 10_000
const ids = z.array(id).check(z.minLength(1), z.maxLength(mostInCheckout))

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
  summary: 'The number of parcels in the cart, by tab',
  response: z.object({ count: z.number(), pickup: z.number(), dropoff: z.number() }),
})

export const listCartIds = endpoint({
  id: 'parcels.cartIds',
  method: 'GET',
  path: `${base}/cart/ids`,
  access: 'customer.view',
  summary: 'The ids of all parcels of a cart tab that are in no checkout, newest first, at most 10,000: one order',
  query: z.object({ tab: z._default(z.enum(cartTabs), 'pickup' as const) }),
  response: z.object({ ids: z.array(id) }),
})

export const addToCart = endpoint({
  id: 'parcels.addToCart',
  method: 'POST',
  path: `${base}/cart`,
  access: 'parcels.create',
  summary: 'Prices complete drafts and adds them to the cart; incomplete ones answer 422 with the missing fields',
  body: z.object({ ids }),
  response: z.object({ items: z.array(parcel) }),
})

export const takeOutOfCart = endpoint({
  id: 'parcels.takeOutOfCart',
  method: 'POST',
  path: `${base}/cart/take-out`,
  access: 'parcels.create',
  summary: 'Moves parcels from the cart back to the drafts',
  body: z.object({ ids }),
  response: z.object({ items: z.array(parcel) }),
})

export const removeParcels = endpoint({
  id: 'parcels.remove',
  method: 'POST',
  path: `${base}/remove`,
  access: 'parcels.create',
  summary: 'Deletes drafts and cart parcels permanently',
  body: z.object({ ids }),
  response: ok,
})

/** The new service; without `carrier`, the service's own carrier. */
const service = {
  serviceType: z.enum(labelValues(serviceTypeLabels)),
  carrier: z.optional(z.enum(labelValues(carrierLabels))),
}
/** A station: the receiver collects the parcel there (D2P, P2P). Null: delivery to the receiver's door. */
const selfCollect = { selfCollectionStationId: z.nullable(id) }
const changed = z.object({ items: z.array(parcel) })

export const changeServices = endpoint({
  id: 'parcels.changeServices',
  method: 'PUT',
  path: `${base}/service`,
  access: 'parcels.create',
  summary:
    'Changes the service of drafts and cart parcels and recalculates prices, all or none; errors name the parcels',
  body: z.object({ ids, ...service }),
  response: changed,
})

export const changeService = endpoint({
  id: 'parcels.changeService',
  method: 'PUT',
  path: `${base}/:id/service`,
  access: 'parcels.create',
  summary: 'Changes the service of one parcel and recalculates its price; a stale version answers 409',
  params: idParams,
  body: z.object({ version, ...service }),
  response: parcel,
})

export const changeSelfCollections = endpoint({
  id: 'parcels.changeSelfCollections',
  method: 'PUT',
  path: `${base}/self-collect`,
  access: 'parcels.create',
  summary: 'Sets the collection station of drafts and cart parcels, all or none; errors name the parcels',
  body: z.object({ ids, ...selfCollect }),
  response: changed,
})

export const changeSelfCollection = endpoint({
  id: 'parcels.changeSelfCollection',
  method: 'PUT',
  path: `${base}/:id/self-collect`,
  access: 'parcels.create',
  summary: 'Sets the collection station of one parcel; a stale version answers 409',
  params: idParams,
  body: z.object({ version, ...selfCollect }),
  response: parcel,
})

export const changeInsurance = endpoint({
  id: 'parcels.changeInsurance',
  method: 'PUT',
  path: `${base}/:id/insurance`,
  access: 'parcels.create',
  summary: 'Sets or removes (null) the insurance of a draft or cart parcel; a stale version answers 409',
  params: idParams,
  body: z.object({
    version,
    insuredValueMinor: z.nullable(positiveMinorAmount),
    /** Required if no value was declared yet, or less than the insured value. */
    declaredValueMinor: z.optional(positiveMinorAmount),
  }),
  response: parcel,
})
