/** The list of an account's parcels, with its filters, and the same list as a spreadsheet. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { carrierLabels, paymentFilters } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { deliveryModeLabels, parcelStatusLabels, scopeLabels, serviceTypeLabels } from '../ground/enums/parcel-enums.ts'
import { day, id } from '../ground/fields.ts'
import { listQuery, page, withOrderedPeriod } from '../ground/paging.ts'
import { listedParcel } from './parcels.ts'

const base = '/api/customer/parcels'

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

/**
 * Counting stops here, so that the list of a huge account is as fast as that of a small one: the total, the total
 * with several filters, and the count of a tab. A count at the limit means "this many or more". A total is counted
 * further for a page beyond the limit.
 */
export const parcelCountLimits = { total: 10_000, narrowed: 250, tab: 1_000 } as const

/** A query field that is either `true` or absent. */
const flag = z.optional(z.literal('true'))

/**
 * The filters of the list and its spreadsheet. `from` and `to` are days in the deployment's time zone, both included.
 * Places are the receiver's.
 */
const parcelFilters = {
  tab: z._default(z.enum(parcelTabs), 'all' as const),
  search: z.optional(z.string().check(z.maxLength(120))),
  status: z.optional(z.enum(labelValues(parcelStatusLabels))),
  scope: z.optional(z.enum(labelValues(scopeLabels))),
  serviceType: z.optional(z.enum(labelValues(serviceTypeLabels))),
  deliveryMode: z.optional(z.enum(labelValues(deliveryModeLabels))),
  carrier: z.optional(z.enum(labelValues(carrierLabels))),
  /** Accepts short codes too. */
  paymentMethod: z.optional(z.enum(paymentFilters)),
  from: z.optional(day),
  to: z.optional(day),
  state: z.optional(z.string().check(z.trim(), z.maxLength(80))),
  city: z.optional(z.string().check(z.trim(), z.maxLength(80))),
  /** The beginning of the postcode. */
  postcode: z.optional(z.string().check(z.trim(), z.maxLength(12))),
  /** A user of the account. Callers without parcels.view_all always see only their own parcels. */
  createdBy: z.optional(id),
  batchId: z.optional(id),
  orderId: z.optional(id),
  withCod: flag,
  unpaid: flag,
  /** In transit without a scan for `silenceHours` (the setting `tracking.silenceHours`), as on the dashboard. */
  silent: flag,
  /** Failed deliveries that wait for the choice of what happens next, as on the dashboard. */
  undecided: flag,
}

export const listParcels = endpoint({
  id: 'parcels.list',
  method: 'GET',
  path: base,
  access: 'customer.view',
  summary: 'The parcels of the account (own only without parcels.view_all), with counts by tab',
  query: withOrderedPeriod(z.extend(listQuery(['createdAt', 'updatedAt', 'status', 'receiverName']), parcelFilters)),
  /**
   * `total` and `counts` stop at `parcelCountLimits`. `more`: there may be more than `total`, on further pages.
   * `counts` follow a search, with its filters. A search with very many hits has none.
   */
  response: z.extend(page(listedParcel), {
    more: z.boolean(),
    counts: z.partialRecord(z.enum(parcelTabs), z.number()),
  }),
})

export const exportParcels = endpoint({
  id: 'parcels.xls',
  method: 'GET',
  path: `${base}/xls`,
  access: 'customer.view',
  summary: 'The parcels that the same filters list, all of them, as .xlsx or .csv',
  query: withOrderedPeriod(
    z.object({ ...parcelFilters, format: z._default(z.enum(['xlsx', 'csv']), 'xlsx' as const) }),
  ),
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
})
