/** The stock of a station: the parcels that it has, and what happens to each next. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { legLabels, parcelStatusLabels } from '../ground/enums/parcel-enums.ts'
import { day, id, instant } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia, tabCounts } from '../ground/paging.ts'
import { custody } from './scanning.ts'

/**
 * The tabs of the stock; label `stockPage.tab.<tab>` in the locale files.
 * - `all`
 * - `onward`: to be sorted, forwarded or delivered
 * - `collect`: waiting for their receivers
 * - `back`: on their way back to their senders
 * - `held`: waiting until a weight difference is paid
 * - `late`: without a scan for `tracking.silenceHours`, or not collected in time; also in another tab
 * - `missing`: not found by the last count, and without an event since; also in another tab
 * - `lost`: declared lost, and last known at this station; in no other tab
 */
export const stockTabs = ['all', 'onward', 'collect', 'back', 'held', 'late', 'missing', 'lost'] as const
export type StockTab = (typeof stockTabs)[number]

/**
 * What happens next to a parcel at a station; label `stockStep.<step>` in the locale files.
 * - `deliver`: this station's riders deliver it
 * - `hand_out`: its receiver collects it here
 * - `hand_back`: it ends here with its sender, at the counter or the door
 * - `forward`: it goes to another station
 * - `carrier`: another carrier takes it
 * - `payment`: it waits until a weight difference is paid
 * - `unknown`: no station serves its address
 * - `find`: it is lost
 */
export const stockSteps = [
  'deliver',
  'hand_out',
  'hand_back',
  'forward',
  'carrier',
  'payment',
  'unknown',
  'find',
] as const
export type StockStep = (typeof stockSteps)[number]

export const stockParcel = z.object({
  parcelId: id,
  trackingNumber: z.string(),
  status: z.enum(labelValues(parcelStatusLabels)),
  leg: z.enum(labelValues(legLabels)),
  /** The receiver, or the sender of a parcel on its way back; null in old parcels. */
  toName: z.nullable(z.string()),
  toCity: z.nullable(z.string()),
  accountName: z.string(),
  next: z.object({
    step: z.enum(stockSteps),
    /** `forward`: the station where its journey ends. */
    station: z.nullable(z.string()),
  }),
  /** The last scan: the parcel has been here since. */
  lastEventAt: z.nullable(instant),
  expectedDate: z.nullable(day),
  /** The last day on which its receiver can collect it. */
  collectUntil: z.nullable(day),
  late: z.boolean(),
})
export type StockParcel = z.output<typeof stockParcel>

const countFigures = {
  expected: z.number(),
  found: z.number(),
}

const filters = {
  /** The caller's own station when absent; staff of a station see no other. */
  stationId: z.optional(id),
  tab: z._default(z.enum(stockTabs), 'all'),
  /** A part of the tracking number, or of the name or city to which it goes. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
}

const base = '/api/staff/stock'

export const listStock = endpoint({
  id: 'staff.stock',
  method: 'GET',
  path: base,
  access: 'staff.operate',
  summary:
    'The parcels that a station has, those without a scan for the longest time first, with counts by tab; ' +
    'in a tab of their own those that were lost there',
  query: z.extend(listQuery(['lastEventAt']), filters),
  response: z.extend(page(stockParcel), {
    counts: tabCounts(stockTabs),
    /** The last count of the station. */
    lastCount: z.nullable(z.object({ at: instant, by: z.string(), ...countFigures })),
  }),
})

export const exportStock = endpoint({
  id: 'staff.stockXls',
  method: 'GET',
  path: `${base}/xls`,
  access: 'staff.operate',
  summary: 'The parcels of a station that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...filters, format: sheetFormat }),
  media: sheetMedia,
})

/** The most parcels that a station may have to be counted. */
export const stockCountLimit = 10_000
/** Parcels that the station does not have on record are scanned too: they must not make a count fail at its end. */
const maxScans = 2 * stockCountLimit

export const listStockNumbers = endpoint({
  id: 'staff.stockNumbers',
  method: 'GET',
  path: `${base}/numbers`,
  access: 'staff.operate',
  summary: 'The numbers of all parcels that a station has now, to begin a count',
  query: z.object({ stationId: filters.stationId }),
  response: z.object({
    /** The beginning of the count. */
    at: instant,
    numbers: z.array(z.string()),
    /** Parcels with riders of the station after a failed attempt: some are brought back, and lie there, too. */
    broughtBack: z.array(z.string()),
    /** Some of these numbers, by the carriers' numbers on the labels of their parcels. */
    ownNumbers: z.record(z.string(), z.string()),
  }),
})

/** A scanned parcel that the station does not have on record. */
const extraParcel = z.object({
  trackingNumber: z.string(),
  /** One whose journey has ended, such as a lost one, has no holder who could be asked. */
  status: z.enum(labelValues(parcelStatusLabels)),
  leg: z.enum(labelValues(legLabels)),
  custody,
})

export const countStock = endpoint({
  id: 'staff.stockCount',
  method: 'POST',
  path: `${base}/counts`,
  access: 'staff.operate',
  summary:
    'Compares the scanned numbers with what a station has on record. No parcel moves; those with an event since the ' +
    'beginning of the count are left out',
  body: z.object({
    stationId: filters.stationId,
    /** `at` of `staff.stockNumbers`. */
    startedAt: instant,
    numbers: z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(40))).check(z.maxLength(maxScans)),
  }),
  response: z.object({
    at: instant,
    ...countFigures,
    /** Expected, but not scanned. */
    missing: z.array(z.string()),
    extra: z.array(extraParcel),
    /** Brought back after a failed attempt. They are on record with a rider of the station until their next scan. */
    broughtBack: z.array(z.string()),
    /** No parcel has these numbers. */
    unknown: z.array(z.string()),
  }),
  idempotent: true,
})
export type StockCount = z.output<typeof countStock.response>
