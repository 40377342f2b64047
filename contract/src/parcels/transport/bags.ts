/** Bags: the courier's own sealed sacks, which take parcels of many senders from one station to another. */
import * as z from 'zod/mini'
import { endpoint } from '../../ground/endpoint.ts'
import { labelValues } from '../../ground/enums/labels.ts'
import { parcelStatusLabels } from '../../ground/enums/parcel-enums.ts'
import { commaSeparated, id, idParams, instant, text, version } from '../../ground/fields.ts'
import { listQuery, page } from '../../ground/paging.ts'
import { misroute } from './misroute.ts'

/**
 * A bag is filled and sealed at one station, and emptied at another. It travels unopened with one or more trips, and
 * has a label with an SSCC-18, as a gunny has.
 */
export const bagStatusLabels = {
  open: ['Being filled', '装袋中'],
  sealed: ['Sealed', '已封袋'],
  in_transit: ['On the way', '运输中'],
  at_station: ['At a station', '已到站'],
  emptied: ['Emptied', '已清空'],
} as const
export type BagStatus = keyof typeof bagStatusLabels

/** The maximum number of parcels in a bag. */
export const bagLimit = 500

const station = z.object({ id, code: z.string(), name: z.string() })

export const bag = z.object({
  id,
  version,
  /** The number for people: `BG` with eight digits and a check digit. */
  number: z.string(),
  /** The SSCC (serial shipping container code), 18 digits. */
  sscc: z.string(),
  status: z.enum(labelValues(bagStatusLabels)),
  /** Where it is, or where it departed last. */
  station,
  /** Where it is emptied. */
  toStation: station,
  /** Where it arrives next, while it is on the way. */
  nextStation: z.nullable(station),
  sealNumber: z.nullable(z.string()),
  /** The trip on which it is loaded or travels, or that was closed without it. */
  tripId: z.nullable(id),
  tripNumber: z.nullable(z.string()),
  /** Whether that trip was closed without it. */
  isMissing: z.boolean(),
  /** The number of parcels in it now. */
  parcelCount: z.number(),
  weightGrams: z.number(),
  createdAt: instant,
  updatedAt: instant,
})
export type Bag = z.output<typeof bag>

const bagParcel = z.object({
  id,
  trackingNumber: z.string(),
  receiverPlace: z.nullable(z.string()),
  weightGrams: z.nullable(z.number()),
  status: z.enum(labelValues(parcelStatusLabels)),
  /** In an open bag: why it is probably in the wrong one; null: nothing speaks against this one. */
  misroute,
})
export type BagParcel = z.output<typeof bagParcel>

/** A bag with its parcels, those added last first. */
export const bagDetail = z.extend(bag, { parcels: z.array(bagParcel) })
export type BagDetail = z.output<typeof bagDetail>

/**
 * What a scan changed: a screen with the parcels of the bag puts it among them. The bag's version shows whether others
 * have changed something, too: each change adds 1.
 */
export const bagScan = z.object({
  bag,
  parcel: bagParcel,
  /** False: it was in the bag already. */
  changed: z.boolean(),
})
export type BagScan = z.output<typeof bagScan>

const base = '/api/staff/bags'

export const listBags = endpoint({
  id: 'staff.bags',
  method: 'GET',
  path: base,
  access: 'staff.operate',
  summary: 'Bags by status and by the station where they are or arrive next, those changed last first',
  query: z.extend(listQuery(['updatedAt']), {
    /** One or more: `open,sealed`. */
    status: z.optional(z.pipe(commaSeparated(5), z.array(z.enum(labelValues(bagStatusLabels))).check(z.minLength(1)))),
    stationId: z.optional(id),
  }),
  response: page(bag),
})

export const createBag = endpoint({
  id: 'staff.bagCreate',
  method: 'POST',
  path: base,
  access: 'staff.operate',
  summary: 'Opens an empty bag at a station for another one',
  body: z.object({
    /** Absent: the caller's own station. */
    stationId: z.optional(id),
    toStationId: id,
  }),
  response: bagDetail,
  idempotent: true,
})

export const bagByNumber = endpoint({
  id: 'staff.bagByNumber',
  method: 'GET',
  path: `${base}/:no`,
  access: 'staff.operate',
  summary: 'A bag by its scanned SSCC or its number; verifies the check digit',
  params: z.object({ no: z.string().check(z.minLength(1), z.maxLength(60)) }),
  response: bagDetail,
})

export const fillBag = endpoint({
  id: 'staff.bagFill',
  method: 'POST',
  path: `${base}/:id/parcels`,
  access: 'staff.operate',
  summary: 'Puts a parcel of this station into an open bag; a parcel that is in it already stays',
  params: idParams,
  body: z.object({ trackingNumber: text(40) }),
  response: bagScan,
})

export const takeFromBag = endpoint({
  id: 'staff.bagTake',
  method: 'DELETE',
  path: `${base}/:id/parcels/:parcelId`,
  access: 'staff.operate',
  summary: 'Takes a parcel out of an open bag',
  params: z.object({ id, parcelId: id }),
  response: bag,
})

export const sealBag = endpoint({
  id: 'staff.bagSeal',
  method: 'POST',
  path: `${base}/:id/seal`,
  access: 'staff.operate',
  summary: 'Seals an open bag: from now on it travels unopened',
  params: idParams,
  body: z.object({ version, sealNumber: text(40) }),
  response: bagDetail,
})

export const openBag = endpoint({
  id: 'staff.bagOpen',
  method: 'POST',
  path: `${base}/:id/open`,
  access: 'staff.operate',
  summary: 'Breaks the seal of a bag that is not loaded, to change its contents',
  params: idParams,
  body: z.object({ version }),
  response: bagDetail,
})

export const emptyBag = endpoint({
  id: 'staff.bagEmpty',
  method: 'POST',
  path: `${base}/:id/empty`,
  access: 'staff.operate',
  summary: 'Empties a bag at this station for good; its parcels continue individually',
  params: idParams,
  body: z.object({ version }),
  response: bagDetail,
})

export const receiveBag = endpoint({
  id: 'staff.bagReceive',
  method: 'POST',
  path: `${base}/:id/receive`,
  access: 'staff.operate',
  summary:
    'Receives a bag on its way that turned up at a station without its trip, with all its parcels. Without its seal ' +
    'it is opened, and its parcels are scanned one by one. Its destination unloads it from a trip that is not closed',
  params: idParams,
  body: z.object({
    /** Where it turned up. Absent: the caller's own station. */
    stationId: z.optional(id),
    sealNumber: z.optional(z.string().check(z.trim(), z.maxLength(40))),
    /** The seal is missing, broken or another one. */
    opened: z.optional(z.literal(true)),
  }),
  response: bagDetail,
  idempotent: true,
})

export const bagLabel = endpoint({
  id: 'staff.bagLabel',
  method: 'GET',
  path: `${base}/:id/label`,
  access: 'staff.operate',
  summary: 'The label of a bag: SSCC-18 as GS1-128, its number, seal, destination and contents in figures',
  params: idParams,
  query: z.object({ format: z._default(z.enum(['a6', '4x6', 'zpl']), 'a6' as const) }),
  media: 'application/pdf',
})
