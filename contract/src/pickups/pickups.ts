/** Pickups as their sender sees them: booking, rescheduling and cancelling a rider's visit. */
import * as z from 'zod/mini'
import { party } from '../addresses/addresses.ts'
import { endpoint } from '../ground/endpoint.ts'
import type { taskStatusLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { legLabels, parcelStatusLabels } from '../ground/enums/parcel-enums.ts'
import { day, id, idParams, instant, version } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia, withOrderedPeriod } from '../ground/paging.ts'
import { taskStatus } from '../ground/tasks.ts'
import { pickupChoice } from './pickup-choice.ts'

/** Why a pickup failed; label `pickupFailure.<reason>`. */
export const pickupFailureReasons = ['nobody_there', 'not_ready', 'bad_address', 'refused', 'no_time', 'other'] as const
export type PickupFailureReason = (typeof pickupFailureReasons)[number]

export const pickupRequest = z.object({
  id,
  number: z.string(),
  /** Null: requested after the payment. */
  orderId: z.nullable(id),
  /** `return`: the rider picks up parcels at the receiver that go back to their sender. */
  leg: z.enum(labelValues(legLabels)),
  status: taskStatus,
  address: party,
  date: day,
  window: z.string(),
  parcelCount: z.number(),
  failureReason: z.nullable(z.enum(pickupFailureReasons)),
  /** When the sender cancelled it. */
  cancelledAt: z.nullable(instant),
  createdAt: instant,
  version: z.number(),
})
export type PickupRequest = z.output<typeof pickupRequest>

/** Tabs of the pickups screen, with their statuses. */
export const pickupTabs = {
  coming: ['new', 'open', 'in_progress'],
  failed: ['failed'],
  done: ['completed'],
  all: null,
} as const satisfies Record<string, readonly (keyof typeof taskStatusLabels)[] | null>
export type PickupTab = keyof typeof pickupTabs
const tabs = Object.keys(pickupTabs) as [PickupTab, ...PickupTab[]]

const base = '/api/customer/pickup-request'

const requestFilters = {
  tab: z._default(z.enum(tabs), 'all'),
  status: z.optional(taskStatus),
  from: z.optional(day),
  to: z.optional(day),
  /** A number, or words of the address. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(120))),
}

export const exportPickupRequests = endpoint({
  id: 'pickups.xls',
  method: 'GET',
  path: `${base}/xls`,
  access: 'customer.view',
  summary: 'The pickups that the same filters list, all of them, as .xlsx or .csv',
  query: withOrderedPeriod(z.object({ ...requestFilters, format: sheetFormat })),
  media: sheetMedia,
})

export const listPickupRequests = endpoint({
  id: 'pickups.list',
  method: 'GET',
  path: base,
  access: 'customer.view',
  summary: 'Pickups of the account, with counts by tab',
  query: withOrderedPeriod(z.extend(listQuery(['date', 'createdAt']), requestFilters)),
  response: z.extend(page(pickupRequest), {
    counts: z.record(z.enum(tabs), z.number()),
    waitingParcels: z.number(),
  }),
})

export const pickupParcel = z.object({
  id,
  trackingNumber: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  status: z.enum(labelValues(parcelStatusLabels)),
  receiverName: z.nullable(z.string()),
  receiverCity: z.nullable(z.string()),
  weightGrams: z.nullable(z.number()),
})
export type PickupParcel = z.output<typeof pickupParcel>

export const pickupDetail = z.extend(pickupRequest, {
  parcels: z.array(pickupParcel),
  failureNote: z.nullable(z.string()),
  riderName: z.nullable(z.string()),
  stationName: z.nullable(z.string()),
  mayReschedule: z.boolean(),
  mayCancel: z.boolean(),
})
export type PickupDetail = z.output<typeof pickupDetail>

export const getPickupRequest = endpoint({
  id: 'pickups.get',
  method: 'GET',
  path: `${base}/:id`,
  access: 'customer.view',
  summary: 'One pickup with its parcels',
  params: idParams,
  response: pickupDetail,
})

export const bookPickup = endpoint({
  id: 'pickups.book',
  method: 'POST',
  path: base,
  access: 'parcels.create',
  summary: 'Books a pickup for paid parcels that have none',
  body: z.extend(pickupChoice, { parcelIds: z.array(id).check(z.minLength(1), z.maxLength(1000)) }),
  response: pickupDetail,
  idempotent: true,
})

export const reschedulePickup = endpoint({
  id: 'pickups.reschedule',
  method: 'PUT',
  path: `${base}/:id`,
  access: 'parcels.create',
  summary: 'Changes day, window or address until the rider is on the way; reopens a failed pickup',
  params: idParams,
  body: z.extend(pickupChoice, { version }),
  response: pickupDetail,
})

export const cancelPickup = endpoint({
  id: 'pickups.cancel',
  method: 'POST',
  path: `${base}/:id/cancel`,
  access: 'parcels.create',
  summary: 'Cancels a pickup; its parcels stay paid and can be added to another',
  params: idParams,
  body: z.object({ version }),
  response: pickupDetail,
})

/** Parcels, outbound and returns, that wait for a pickup and have none. `fetchedFrom`: the address of the pickup. */
export const waitingParcels = endpoint({
  id: 'pickups.waiting',
  method: 'GET',
  path: `${base}/waiting`,
  access: 'customer.view',
  summary: 'Paid parcels that wait for a pickup and have none',
  response: z.object({ items: z.array(z.extend(pickupParcel, { fetchedFrom: z.nullable(party) })) }),
})
