/** Stations: their location, opening hours and services. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { serviceCodeLabels, stationTypeLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id } from '../ground/fields.ts'
import { listQuery, page } from '../ground/paging.ts'

/** `HH:MM` pairs in the deployment's time zone, Monday first; null is closed. */
export const openingHours = z.array(z.nullable(z.object({ open: z.string(), close: z.string() }))).check(z.length(7))

export const station = z.object({
  id,
  code: z.string(),
  name: z.string(),
  type: z.enum(labelValues(stationTypeLabels)),
  line1: z.string(),
  postcode: z.string(),
  city: z.string(),
  state: z.string(),
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  phone: z.string(),
  openingHours,
  /** By the opening hours and the public holidays, in the deployment's time zone. */
  openNow: z.boolean(),
  /** The public holiday that closes it today; null on any other day. */
  holiday: z.nullable(z.string()),
  serviceCodes: z.array(z.enum(labelValues(serviceCodeLabels))),
  /** The distance from the requested place in metres; null without a place. */
  distanceM: z.nullable(z.number()),
})
export type Station = z.output<typeof station>

const order = listQuery(['name', 'code', 'city', 'state'])

const placeFilters = {
  state: z.optional(z.string().check(z.maxLength(80))),
  /** Words of the code, the name or the address. */
  search: z.optional(z.string().check(z.maxLength(80))),
  /** A postcode, a town or `lat,lng`: the stations then have their distance, the nearest first unless sorted. */
  near: z.optional(z.string().check(z.trim(), z.minLength(2), z.maxLength(80))),
}

const stationFilters = {
  ...placeFilters,
  type: z.optional(z.enum(labelValues(stationTypeLabels))),
  service: z.optional(z.enum(labelValues(serviceCodeLabels))),
  openNow: z.optional(z.literal('true')),
}

/** `type`: a service (e_parcel) or a type of station. */
const counterFilters = { ...placeFilters, type: z.optional(z.string().check(z.maxLength(40))) }

export const listStations = endpoint({
  id: 'stations.list',
  method: 'GET',
  path: '/api/customer/stations',
  access: 'public',
  summary: 'Stations of the network',
  query: z.extend(order, stationFilters),
  response: page(station),
})

/** {x} is a postcode or `lat,lng`. */
export const nearbyServiceCenters = endpoint({
  id: 'stations.nearby',
  method: 'GET',
  path: '/api/customer/stations/service-centers/nearby/:x',
  access: 'public',
  summary: 'Service centres by distance from a postcode or "lat,lng"',
  params: z.object({ x: z.string().check(z.minLength(3), z.maxLength(60)) }),
  response: z.object({ items: z.array(station) }),
})

export const selfCollectionStations = endpoint({
  id: 'stations.selfCollection',
  method: 'GET',
  path: '/api/customer/stations/self_collection',
  access: 'public',
  summary: 'Stations for self-collection',
  query: z.extend(order, counterFilters),
  response: page(station),
})

export const dropOffStations = endpoint({
  id: 'stations.dropOff',
  method: 'GET',
  path: '/api/customer/stations/dropoff',
  access: 'public',
  summary: 'Stations for drop-off',
  query: z.extend(order, counterFilters),
  response: page(station),
})

export const hubStations = endpoint({
  id: 'stations.hub',
  method: 'GET',
  path: '/api/customer/stations/hub',
  access: 'public',
  summary: 'Warehouses',
  query: z.extend(order, placeFilters),
  response: page(station),
})

export const publicStations = endpoint({
  id: 'stations.public',
  method: 'GET',
  path: '/api/public/stations',
  access: 'public',
  summary: 'Stations, without login, cacheable',
  query: z.extend(order, stationFilters),
  response: page(station),
})

export const publicCoverage = endpoint({
  id: 'stations.publicCover',
  method: 'GET',
  path: '/api/public/stations/service-centers/cover',
  access: 'public',
  summary: 'Coverage Area: the service centre that covers a postcode, and what a station covers',
  query: z.extend(listQuery(['name', 'code']), {
    postcode: z.optional(z.string().check(z.maxLength(12))),
    stationId: z.optional(id),
  }),
  response: page(z.object({ station, postcodes: z.array(z.object({ from: z.string(), to: z.string() })) })),
})

export const publicNearby = endpoint({
  id: 'stations.publicNearby',
  method: 'GET',
  path: '/api/public/stations/service-centers/nearby',
  access: 'public',
  summary: 'Service centres by distance from a postcode or "lat,lng"',
  query: z.object({ near: z.string().check(z.minLength(3), z.maxLength(60)) }),
  response: z.object({ items: z.array(station) }),
})
