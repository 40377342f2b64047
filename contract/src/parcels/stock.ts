/** The stock of a station: the parcels that it has, and what happens to each next. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues, legLabels, parcelStatusLabels } from '../ground/enums.ts'
import { day, id, instant } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia, tabCounts } from '../ground/paging.ts'

/**
 * All; to be sorted, forwarded or delivered; waiting for their receiver; on their way back; held for a payment; late:
 * without a scan for `tracking.silenceHours`, or not collected in time. A parcel can be late in any of the others.
 */
export const stockTabs = ['all', 'onward', 'collect', 'back', 'held', 'late'] as const
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
 */
export const stockSteps = ['deliver', 'hand_out', 'hand_back', 'forward', 'carrier', 'payment', 'unknown'] as const
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
  /** The last scan: since then it lies there. */
  lastEventAt: z.nullable(instant),
  expectedDate: z.nullable(day),
  /** The last day on which its receiver can collect it. */
  collectUntil: z.nullable(day),
  late: z.boolean(),
})
export type StockParcel = z.output<typeof stockParcel>

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
  summary: 'The parcels that a station has, those without a scan for the longest time first, with counts by tab',
  query: z.extend(listQuery(['lastEventAt']), filters),
  response: z.extend(page(stockParcel), { counts: tabCounts(stockTabs) }),
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
