/** Trips: journeys of the courier's own vehicles between stations, with what they load and unload. */
import * as z from 'zod/mini'
import { endpoint } from '../../ground/endpoint.ts'
import { labelValues } from '../../ground/enums/labels.ts'
import { id, idParams, instant, nameText, optionalText, text, version } from '../../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia, tabCounts } from '../../ground/paging.ts'
import { misroute } from './misroute.ts'

/** A trip takes parcels, bags and gunnies from one station directly to another. */
export const tripStatusLabels = {
  loading: ['Loading', '装车中'],
  under_way: ['On the way', '运输中'],
  unloading: ['Unloading', '卸车中'],
  closed: ['Unloaded', '已卸完'],
  cancelled: ['Cancelled', '已取消'],
} as const
export type TripStatus = keyof typeof tripStatusLabels
/** The statuses of a trip that a station still has work with. */
export const tripsInProgress = ['loading', 'under_way', 'unloading'] as const satisfies readonly TripStatus[]

/** The tabs of the trips: all of them, and those of each status. */
export const tripTabs = ['all', 'loading', 'under_way', 'unloading', 'closed', 'cancelled'] as const

/** The maximum number of parcels of a trip, those in bags and gunnies included. */
export const tripLimit = 3000

export const loadKinds = ['parcel', 'bag', 'gunny'] as const
export type LoadKind = (typeof loadKinds)[number]

/**
 * What became of a load; label `tripPage.state.<state>` in the locale files.
 * - `loaded`: on the vehicle, or to be loaded onto it
 * - `arrived`: unloaded at the destination
 * - `missing`: not found when the trip was unloaded, and not scanned anywhere since
 * - `found`: not found when the trip was unloaded, but scanned since
 * - `extra`: unloaded, though it was not on the manifest
 */
export const loadStates = ['loaded', 'arrived', 'missing', 'found', 'extra'] as const
export type LoadState = (typeof loadStates)[number]

/** What staff saw of the vehicle's seal on arrival. */
export const sealReadings = ['intact', 'broken', 'none'] as const
export type SealReading = (typeof sealReadings)[number]

const station = z.object({ id, code: z.string(), name: z.string() })

export const trip = z.object({
  id,
  version,
  /** The number for people: `TR` with eight digits and a check digit. */
  number: z.string(),
  status: z.enum(labelValues(tripStatusLabels)),
  fromStation: station,
  toStation: station,
  /** The registration number of the vehicle. */
  vehicle: z.string(),
  driverName: z.string(),
  /** The seal of the vehicle; null: departed without one. */
  sealNumber: z.nullable(z.string()),
  /** How the seal was on arrival; null before it. */
  seal: z.nullable(z.enum(sealReadings)),
  loadCount: z.number(),
  /** The number of parcels on the manifest, those in bags and gunnies included. */
  parcelCount: z.number(),
  weightGrams: z.number(),
  /** The loads that were missing or extra when the trip had been unloaded; 0 before it. */
  missingCount: z.number(),
  extraCount: z.number(),
  departedAt: z.nullable(instant),
  arrivedAt: z.nullable(instant),
  closedAt: z.nullable(instant),
  createdAt: instant,
})
export type Trip = z.output<typeof trip>

export const tripLoad = z.object({
  id,
  kind: z.enum(loadKinds),
  /** The number of the parcel, the bag or the gunny. */
  number: z.string(),
  /** The number in the barcode of a bag's or gunny's label; null: a parcel. */
  sscc: z.nullable(z.string()),
  /** Of a bag or a gunny. */
  sealNumber: z.nullable(z.string()),
  /** Where it goes in the end: the station of a bag, the receiver's place of a parcel. */
  to: z.nullable(z.string()),
  parcelCount: z.number(),
  weightGrams: z.number(),
  state: z.enum(loadStates),
  /** The numbers of the parcels of an opened bag that have not arrived one by one. */
  missing: z.array(z.string()),
  /** Before the departure: why it is probably on the wrong vehicle; null: nothing speaks against this one. */
  misroute,
})
export type TripLoad = z.output<typeof tripLoad>

/** A trip with its loads, those loaded last first. */
export const tripDetail = z.extend(trip, { loads: z.array(tripLoad) })
export type TripDetail = z.output<typeof tripDetail>

/**
 * What a scan changed: a screen with the loads of the trip puts it among them. The trip's version shows whether others
 * have changed something, too: each change adds 1.
 */
export const tripScan = z.object({
  trip,
  /** The load as it is now; of a parcel from an opened bag, that bag. */
  load: tripLoad,
  /** False: it had been scanned before. */
  changed: z.boolean(),
})
export type TripScan = z.output<typeof tripScan>

/** Something that was not found when its trip was unloaded, and not scanned anywhere since. */
export const missingLoad = z.object({
  /** The load; of an opened bag, it has a row for each missing parcel. */
  loadId: id,
  kind: z.enum(loadKinds),
  /** The number of the parcel, the bag or the gunny. */
  number: z.string(),
  tripId: id,
  tripNumber: z.string(),
  fromStation: station,
  toStation: station,
  /** When the trip was closed without it. */
  missingSince: instant,
  /** The sender's account; null: a bag with parcels of many senders. */
  accountName: z.nullable(z.string()),
  parcelCount: z.number(),
})
export type MissingLoad = z.output<typeof missingLoad>

const base = '/api/staff/trips'

const filters = {
  status: z.optional(z.enum(labelValues(tripStatusLabels))),
  /** Trips from or to this station. */
  stationId: z.optional(id),
  /** A part of the number, the vehicle or the driver's name. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(60))),
}

export const listTrips = endpoint({
  id: 'staff.trips',
  method: 'GET',
  path: base,
  access: 'staff.operate',
  summary: 'Trips between stations, the latest first, with counts by status',
  query: z.extend(listQuery(['createdAt']), filters),
  /** `counts` follow station and search. */
  response: z.extend(page(trip), { counts: tabCounts(tripTabs) }),
})

export const exportTrips = endpoint({
  id: 'staff.tripsXls',
  method: 'GET',
  path: `${base}/xls`,
  access: 'staff.operate',
  summary: 'The trips that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...filters, format: sheetFormat }),
  media: sheetMedia,
})

const missingFilters = {
  /** From or to this station. The caller's own when absent; staff of a station see no other. */
  stationId: z.optional(id),
  /** A part of the number of the load or of the trip. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(60))),
}

export const listMissingLoads = endpoint({
  id: 'staff.missingLoads',
  method: 'GET',
  path: `${base}/missing`,
  access: 'staff.operate',
  summary:
    'What is missing from all trips, the latest first: neither scanned since, nor declared lost. Staff of a station ' +
    'see the trips from or to it',
  query: z.extend(listQuery(['missingSince']), missingFilters),
  response: page(missingLoad),
})

export const exportMissingLoads = endpoint({
  id: 'staff.missingLoadsXls',
  method: 'GET',
  path: `${base}/missing/xls`,
  access: 'staff.operate',
  summary: 'What is missing from all trips, as the same filters list it, as .xlsx or .csv',
  query: z.object({ ...missingFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const getTrip = endpoint({
  id: 'staff.trip',
  method: 'GET',
  path: `${base}/:id`,
  access: 'staff.operate',
  summary: 'A trip with everything that it loads, and what has arrived',
  params: idParams,
  response: tripDetail,
})

const vehicleFields = { toStationId: id, vehicle: text(20), driverName: nameText(120) }

export const createTrip = endpoint({
  id: 'staff.tripCreate',
  method: 'POST',
  path: base,
  access: 'staff.operate',
  summary: 'Begins to load a vehicle at a station for another one',
  body: z.object({
    /** Absent: the caller's own station. */
    stationId: z.optional(id),
    ...vehicleFields,
  }),
  response: tripDetail,
  idempotent: true,
})

export const updateTrip = endpoint({
  id: 'staff.tripUpdate',
  method: 'PUT',
  path: `${base}/:id`,
  access: 'staff.operate',
  summary: 'Changes destination, vehicle or driver of a trip that has not departed; a stale version answers 409',
  params: idParams,
  body: z.object({ version, ...vehicleFields }),
  response: tripDetail,
})

export const cancelTrip = endpoint({
  id: 'staff.tripCancel',
  method: 'POST',
  path: `${base}/:id/cancel`,
  access: 'staff.operate',
  summary: 'Cancels a trip that has not departed; its loads stay at the station',
  params: idParams,
  body: z.object({ version }),
  response: tripDetail,
})

export const loadTrip = endpoint({
  id: 'staff.tripLoad',
  method: 'POST',
  path: `${base}/:id/loads`,
  access: 'staff.operate',
  summary: 'Loads a parcel, a sealed bag or a sealed gunny by its number or SSCC; one that is loaded already stays',
  params: idParams,
  body: z.object({ loadNumber: text(60) }),
  response: tripScan,
})

export const unloadBeforeDeparture = endpoint({
  id: 'staff.tripTakeOff',
  method: 'DELETE',
  path: `${base}/:id/loads/:loadId`,
  access: 'staff.operate',
  summary: 'Takes a load off a vehicle that has not departed',
  params: z.object({ id, loadId: id }),
  response: trip,
})

export const departTrip = endpoint({
  id: 'staff.tripDepart',
  method: 'POST',
  path: `${base}/:id/depart`,
  access: 'staff.operate',
  summary:
    'The vehicle departs: all parcels go through the transition table in one transaction. Refused, with their ' +
    'numbers, if some may not depart',
  params: idParams,
  body: z.object({ version, sealNumber: optionalText(40) }),
  response: tripDetail,
  idempotent: true,
})

export const arriveTrip = endpoint({
  id: 'staff.tripArrive',
  method: 'POST',
  path: `${base}/:id/arrive`,
  access: 'staff.operate',
  summary: 'The vehicle arrives, and its seal is read; its parcels arrive as they are unloaded',
  params: idParams,
  body: z.object({
    version,
    /** The seal on the vehicle; null: none. */
    sealNumber: optionalText(40),
  }),
  response: tripDetail,
  idempotent: true,
})

export const unloadTrip = endpoint({
  id: 'staff.tripUnload',
  method: 'POST',
  path: `${base}/:id/unloads`,
  access: 'staff.operate',
  summary:
    'Unloads a parcel, a bag or a gunny by its number or SSCC: it arrives. With an intact seal all parcels of a bag ' +
    'or gunny arrive; a bag without one is opened, and its parcels are unloaded one by one',
  params: idParams,
  body: z.object({
    loadNumber: text(60),
    /** The seal on a bag or gunny. Absent: the reply names what must be read. */
    sealNumber: z.optional(z.string().check(z.trim(), z.maxLength(40))),
    /** The seal of the bag is missing, broken or another one. */
    opened: z.optional(z.literal(true)),
  }),
  response: tripScan,
  idempotent: true,
})

export const closeTrip = endpoint({
  id: 'staff.tripClose',
  method: 'POST',
  path: `${base}/:id/close`,
  access: 'staff.operate',
  summary: 'Ends the unloading: what has not arrived is missing, and stays on the way until it is scanned',
  params: idParams,
  body: z.object({ version }),
  response: tripDetail,
  idempotent: true,
})

export const tripManifest = endpoint({
  id: 'staff.tripManifest',
  method: 'GET',
  path: `${base}/:id/manifest`,
  access: 'staff.operate',
  summary: 'The manifest of a trip as PDF: its loads, with lines for signatures',
  params: idParams,
  media: 'application/pdf',
})
