/** Gunnies: bags of parcels that senders pack and stations count. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { parcelStatusLabels } from '../ground/enums/parcel-enums.ts'
import { commaSeparated, id, idParams, instant, ok, optionalText, version } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'

/**
 * A gunny is a bag of parcels that are dropped off together: numbered, labelled with an SSCC-18, possibly sealed;
 * stations count it in and out.
 */
export const gunnyStatusLabels = {
  open: ['Being packed', '打包中'],
  at_station: ['At a station', '已到站'],
  in_transit: ['On the way', '运输中'],
  closed: ['Emptied', '已清空'],
  dissolved: ['Dissolved', '已解散'],
} as const
export type GunnyStatus = keyof typeof gunnyStatusLabels
/** The statuses of a gunny that a station still has to count or empty. */
export const gunniesInProgress = ['open', 'at_station', 'in_transit'] as const satisfies readonly GunnyStatus[]

/** The counts of a gunny at stations: received from the sender, departed, arrived from another station. */
export const gunnyCheckEvents = ['received', 'departed', 'arrived'] as const
export type GunnyCheckEvent = (typeof gunnyCheckEvents)[number]

/** The maximum number of parcels in a gunny. */
export const gunnyLimit = 1000

const number = z.string().check(z.trim(), z.minLength(1), z.maxLength(40))
const numbers = z.array(number).check(z.maxLength(gunnyLimit))
const sealNumber = optionalText(40)

const station = z.object({ id, code: z.string(), name: z.string() })

export const gunny = z.object({
  id,
  version,
  /** The number for people: `GY` with eight digits and a check digit. */
  number: z.string(),
  /** The SSCC (serial shipping container code), 18 digits. */
  sscc: z.string(),
  status: z.enum(labelValues(gunnyStatusLabels)),
  dropOffStation: z.nullable(station),
  station: z.nullable(station),
  nextStation: z.nullable(station),
  sealNumber: z.nullable(z.string()),
  /** The number of parcels in it now. */
  parcelCount: z.number(),
  weightGrams: z.number(),
  /** The last count found missing or extra parcels. */
  differs: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
})
export type Gunny = z.output<typeof gunny>

const gunnyParcel = z.object({
  id,
  trackingNumber: z.string(),
  reference: z.nullable(z.string()),
  receiverName: z.nullable(z.string()),
  receiverPlace: z.nullable(z.string()),
  weightGrams: z.nullable(z.number()),
  status: z.enum(labelValues(parcelStatusLabels)),
})
export type GunnyParcel = z.output<typeof gunnyParcel>

/** One count of a gunny at a station: expected and scanned parcels, with the differences by number. */
const gunnyCheck = z.object({
  id,
  event: z.enum(gunnyCheckEvents),
  at: instant,
  station: z.nullable(station),
  nextStation: z.nullable(station),
  /** Not opened, because the seal was intact. */
  sealed: z.boolean(),
  expected: z.number(),
  moved: z.number(),
  missing: z.array(z.string()),
  extra: z.array(z.string()),
  /** Scanned in a status in which this is not allowed. */
  refused: z.array(z.object({ number: z.string(), status: z.enum(labelValues(parcelStatusLabels)) })),
  unknown: z.array(z.string()),
})
export type GunnyCheck = z.output<typeof gunnyCheck>

export const gunnyDetail = z.extend(gunny, { parcels: z.array(gunnyParcel), checks: z.array(gunnyCheck) })
export type GunnyDetail = z.output<typeof gunnyDetail>

const base = '/api/customer/parcels/gunny'

export const createGunny = endpoint({
  id: 'gunny.create',
  method: 'POST',
  path: base,
  access: 'parcels.create',
  summary: 'Packs parcels of one drop-off, by tracking number, into a gunny; errors name the numbers',
  body: z.object({
    numbers: numbers.check(z.minLength(1)),
    stationId: z._default(z.nullable(id), null),
    sealNumber,
  }),
  response: gunnyDetail,
  idempotent: true,
})

const listFilters = {
  status: z.optional(z.enum(labelValues(gunnyStatusLabels))),
  search: z.optional(z.string().check(z.maxLength(40))),
}

export const exportGunnies = endpoint({
  id: 'gunny.xls',
  method: 'GET',
  path: `${base}/xls`,
  access: 'customer.view',
  summary: 'The gunnies that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listGunnies = endpoint({
  id: 'gunny.list',
  method: 'GET',
  path: base,
  access: 'customer.view',
  summary: 'The gunnies of the account (own only without parcels.view_all), with counts by status',
  query: z.extend(listQuery(['createdAt']), listFilters),
  /** `counts` follow the search; a status without gunnies is missing. */
  response: z.extend(page(gunny), {
    counts: z.partialRecord(z.enum(labelValues(gunnyStatusLabels)), z.number()),
  }),
})

export const getGunny = endpoint({
  id: 'gunny.get',
  method: 'GET',
  path: `${base}/:id`,
  access: 'customer.view',
  summary: 'One gunny with its parcels and every count at a station',
  params: idParams,
  response: gunnyDetail,
})

export const updateGunny = endpoint({
  id: 'gunny.update',
  method: 'PUT',
  path: `${base}/:id`,
  access: 'parcels.create',
  summary: 'Changes seal, station or contents of a gunny that has not been handed over; a stale version answers 409',
  params: idParams,
  body: z.object({
    version,
    add: z._default(numbers, []),
    remove: z._default(numbers, []),
    stationId: z.optional(z.nullable(id)),
    sealNumber: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(40)))),
  }),
  response: gunnyDetail,
})

export const dissolveGunny = endpoint({
  id: 'gunny.dissolve',
  method: 'DELETE',
  path: `${base}/:id`,
  access: 'parcels.create',
  summary: 'Dissolves a gunny that has not been handed over; its number is not reused',
  params: idParams,
  response: ok,
})

export const gunnyLabel = endpoint({
  id: 'gunny.label',
  method: 'GET',
  path: `${base}/:id/label`,
  access: 'customer.view',
  summary: 'The label of a gunny: SSCC-18 as GS1-128, its number, seal and contents in figures',
  params: idParams,
  query: z.object({ format: z._default(z.enum(['a6', '4x6', 'zpl']), 'a6' as const) }),
  media: 'application/pdf',
})

export const gunnyManifest = endpoint({
  id: 'gunny.manifest',
  method: 'GET',
  path: `${base}/:id/manifest`,
  access: 'customer.view',
  summary: 'The manifest of a gunny',
  params: idParams,
  media: 'application/pdf',
})

export const staffGunny = z.extend(gunnyDetail, {
  accountName: z.string(),
  /** The next possible step; null once it is emptied or dissolved. */
  nextCheck: z.nullable(z.enum(gunnyCheckEvents)),
  /** Tracking numbers that the next count expects. */
  expected: z.array(z.string()),
})
export type StaffGunny = z.output<typeof staffGunny>

export const staffGunnies = endpoint({
  id: 'staff.gunnies',
  method: 'GET',
  path: '/api/staff/gunny',
  access: 'staff.operate',
  summary: 'Gunnies of all accounts by status and by the station that handles them next, those changed last first',
  query: z.extend(listQuery(['updatedAt']), {
    /** One or more: `open,at_station`. */
    status: z.optional(
      z.pipe(commaSeparated(5), z.array(z.enum(labelValues(gunnyStatusLabels))).check(z.minLength(1))),
    ),
    /** Where they are, or where they are dropped off or go next. */
    stationId: z.optional(id),
  }),
  response: page(z.extend(gunny, { accountName: z.string() })),
})

export const staffGunnyByNumber = endpoint({
  id: 'staff.gunnyByNumber',
  method: 'GET',
  path: '/api/staff/gunny/:no',
  access: 'staff.operate',
  summary: 'A gunny by its scanned SSCC (with or without application identifier) or number; verifies the check digit',
  params: z.object({ no: z.string().check(z.minLength(1), z.maxLength(60)) }),
  response: staffGunny,
})

export const checkGunny = endpoint({
  id: 'staff.gunnyCheck',
  method: 'POST',
  path: '/api/staff/gunny/:id/checks',
  access: 'staff.operate',
  summary:
    'Counts a gunny in or out: expected against scanned, the difference named; its parcels go through the ' +
    'transition table',
  params: idParams,
  body: z.object({
    event: z.enum(gunnyCheckEvents),
    /** Absent: the caller's own station. */
    stationId: z.optional(id),
    /** `departed`: the next station. */
    nextStationId: z.optional(id),
    /** The seal is intact and reads `sealNumber`: all expected parcels count as present. */
    sealed: z._default(z.boolean(), false),
    sealNumber,
    numbers: z._default(numbers, []),
  }),
  response: staffGunny,
  idempotent: true,
})

export const emptyGunny = endpoint({
  id: 'staff.gunnyEmpty',
  method: 'POST',
  path: '/api/staff/gunny/:id/empty',
  access: 'staff.operate',
  summary: 'Unpacks a gunny at this station; its parcels continue individually',
  params: idParams,
  body: z.object({ version }),
  response: staffGunny,
})

/** A parcel that was expected in a gunny, was not there, and has not been scanned anywhere since. */
export const missingParcel = z.object({
  parcelId: id,
  trackingNumber: z.string(),
  accountName: z.string(),
  gunnyNumber: z.string(),
  /** The count at which it was missing, and where. */
  event: z.enum(gunnyCheckEvents),
  station: z.string(),
  at: instant,
})
export type MissingParcel = z.output<typeof missingParcel>

export const missingFromGunnies = endpoint({
  id: 'staff.gunnyMissing',
  method: 'GET',
  path: '/api/staff/gunny/missing',
  access: 'staff.operate',
  summary: 'Parcels that were missing from a gunny and have not been found yet, the latest first',
  query: z.extend(listQuery([]), {
    /** Only those that were missing at this station. */
    stationId: z.optional(id),
  }),
  response: page(missingParcel),
})
