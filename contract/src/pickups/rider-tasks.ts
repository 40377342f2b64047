/** Pickups as riders and their stations see them: the list of the day, and the rider's actions at the door. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day, id, idParams, instant, optionalText, version } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'
import { assignTask, getTask, startTask, taskRider, taskStatus, taskStep } from '../ground/tasks.ts'
import { pickupFailureReasons, pickupParcel, pickupRequest } from './pickups.ts'

/** A pickup for the station's riders. */
export const pickupTask = z.extend(pickupRequest, {
  accountName: z.string(),
  ...taskRider,
  pickedCount: z.number(),
})
export type PickupTask = z.output<typeof pickupTask>

export const pickupTaskDetail = z.extend(pickupTask, {
  /** The parcels of the request, and whether each has been picked up. */
  expected: z.array(z.extend(pickupParcel, { picked: z.boolean() })),
  /** Picked up in addition to the request. */
  extra: z.array(pickupParcel),
  /** Missing when the task was completed. */
  missing: z.array(pickupParcel),
  failureNote: z.nullable(z.string()),
  startedAt: z.nullable(instant),
  finishedAt: z.nullable(instant),
  /** The history, oldest first. */
  steps: z.array(taskStep),
  allowed: z.array(z.enum(['assign', 'start', 'scan', 'complete', 'fail'])),
})
export type PickupTaskDetail = z.output<typeof pickupTaskDetail>

const base = '/api/staff/pickups'

const taskFilters = {
  /** The caller's own station when absent; staff of a station see no other. */
  stationId: z.optional(id),
  date: z.optional(day),
  rider: z.optional(z.enum(['me', 'nobody'])),
  status: z.optional(taskStatus),
  /** A pickup's number, with or without its `PU-` and leading zeros. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(40))),
}

export const exportPickupTasks = endpoint({
  id: 'staff.pickupsXls',
  method: 'GET',
  path: `${base}/xls`,
  access: 'staff.operate',
  summary: 'The pickups that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...taskFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listPickupTasks = endpoint({
  id: 'staff.pickups',
  method: 'GET',
  path: base,
  access: 'staff.operate',
  summary: "Pickups of a station on a day, by window; `rider=me` only the caller's own",
  query: z.extend(listQuery(['date', 'createdAt']), taskFilters),
  response: page(pickupTask),
})

export const getPickupTask = endpoint({
  ...getTask,
  id: 'staff.pickup',
  path: `${base}/:id`,
  summary: 'A pickup with the expected and the collected parcels',
  response: pickupTaskDetail,
})

export const assignPickup = endpoint({
  ...assignTask,
  id: 'staff.pickupAssign',
  path: `${base}/:id/rider`,
  summary: 'Assigns a pickup to a rider, even while another is on the way; reopens a failed pickup',
  response: pickupTaskDetail,
})

export const startPickup = endpoint({
  ...startTask,
  id: 'staff.pickupStart',
  path: `${base}/:id/start`,
  summary: 'The rider is on the way',
  response: pickupTaskDetail,
})

export const scanPickup = endpoint({
  id: 'staff.pickupScan',
  method: 'POST',
  path: `${base}/:id/scans`,
  access: 'staff.operate',
  summary:
    'A parcel of the pickup is in the rider’s hands; one of the same sender that nobody expected is taken along ' +
    'and named',
  params: idParams,
  body: z.object({ trackingNumber: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)) }),
  response: z.extend(pickupTaskDetail, {
    /** `repeated`: it was already scanned at this pickup. */
    scanned: z.object({ trackingNumber: z.string(), extra: z.boolean(), repeated: z.boolean() }),
  }),
})

export const completePickup = endpoint({
  id: 'staff.pickupComplete',
  method: 'POST',
  path: `${base}/:id/complete`,
  access: 'staff.operate',
  summary: 'Completes a pickup. Missing parcels must be acknowledged; they wait for another pickup',
  params: idParams,
  body: z.object({ version, acceptMissing: z._default(z.boolean(), false) }),
  response: pickupTaskDetail,
})

export const failPickup = endpoint({
  id: 'staff.pickupFail',
  method: 'POST',
  path: `${base}/:id/fail`,
  access: 'staff.operate',
  summary: 'Reports a failed pickup with the reason',
  params: idParams,
  body: z.object({ version, reason: z.enum(pickupFailureReasons), note: optionalText(200) }),
  response: pickupTaskDetail,
})

export const listRiders = endpoint({
  id: 'staff.riders',
  method: 'GET',
  path: '/api/staff/riders',
  access: 'staff.operate',
  summary: "The operations staff of a station (the caller's own when absent; no other for its staff), and the caller",
  query: z.object({ stationId: z.optional(id) }),
  response: z.object({ items: z.array(z.object({ id, name: z.string() })) }),
})
