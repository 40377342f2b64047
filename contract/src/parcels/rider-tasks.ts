/** Deliveries: parcels with riders, and the station's list of failed ones. */
import * as z from 'zod/mini'
import { party } from '../addresses/addresses.ts'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { parcelStatusLabels } from '../ground/enums/parcel-enums.ts'
import { day, id, instant } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'
import { assignTask, getTask, startTask, taskRider, taskStatus, taskStep } from '../ground/tasks.ts'
import { failedAttempt, failureReasons } from './failed-delivery.ts'

/** A parcel that a rider has, or had. Scans report whether it was delivered. */
export const deliveryTask = z.object({
  id,
  status: taskStatus,
  parcelId: id,
  trackingNumber: z.string(),
  parcelStatus: z.enum(labelValues(parcelStatusLabels)),
  /** The address to visit: the receiver, or the sender of a returned parcel. */
  to: z.nullable(party),
  /** What the recipient still has to pay; null: nothing, or already collected. */
  codAmountMinor: z.nullable(z.number()),
  codCollectedMinor: z.nullable(z.number()),
  currency: z.string(),
  weightGrams: z.nullable(z.number()),
  expectedDate: z.nullable(day),
  ...taskRider,
  /** Whether the caller may report the result: its rider, or a supervisor. */
  mayReport: z.boolean(),
  /** Whether the caller can assign it to another rider: it is in progress, and belongs to their station. */
  mayAssign: z.boolean(),
  attempts: z.number(),
  failureReason: z.nullable(z.enum(failureReasons)),
  failureNote: z.nullable(z.string()),
  /** The latest failed attempt and the choice after it; null: no attempt failed, or the parcel has arrived. */
  failedAttempt: z.nullable(failedAttempt),
  updatedAt: instant,
  version: z.number(),
})
export type DeliveryTask = z.output<typeof deliveryTask>

/** Whether a rider still has to do a task. */
export const isTaskOpen = (status: DeliveryTask['status']) => status !== 'completed' && status !== 'failed'

/** Names a door with its person: by this, parcels make one stop. */
export const doorKey = ({ postcode, line1, line2, contactName }: z.output<typeof party>) =>
  [postcode, line1, line2, contactName].join('\n').toLowerCase()

type To = DeliveryTask['to']
/** Whether two parcels go to the same person at the same door. */
export const isSameDoor = (one: To, other: To) => one !== null && other !== null && doorKey(one) === doorKey(other)

const base = '/api/staff/deliveries'

const taskFilters = {
  rider: z._default(z.enum(['me', 'all']), 'me'),
  /** With `rider=all`; the caller's own station when absent; staff of a station see no other. */
  stationId: z.optional(id),
  state: z._default(z.enum(['under_way', 'done']), 'under_way'),
  /** `done`: of this day; today when absent. */
  date: z.optional(day),
}

export const exportDeliveryTasks = endpoint({
  id: 'staff.deliveriesXls',
  method: 'GET',
  path: `${base}/xls`,
  access: 'staff.operate',
  summary: 'The parcels with riders that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...taskFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listDeliveryTasks = endpoint({
  id: 'staff.deliveries',
  method: 'GET',
  path: base,
  access: 'staff.operate',
  summary:
    "Parcels with riders: the caller's own, or those of a station; still under way, or what became of them on a day",
  query: z.extend(listQuery(['updatedAt']), taskFilters),
  response: z.extend(page(deliveryTask), {
    /** The same riders' totals: parcels left, parcels done today, and money collected today. */
    summary: z.object({
      underWay: z.number(),
      completed: z.number(),
      failed: z.number(),
      codCollectedMinor: z.number(),
    }),
  }),
})

export const printRunSheet = endpoint({
  id: 'staff.runSheet',
  method: 'GET',
  path: `${base}/run-sheet`,
  access: 'staff.operate',
  summary: "The stops of the caller's deliveries under way by postcode, or those of each rider of a station, as PDF",
  query: z.object({ rider: taskFilters.rider, stationId: taskFilters.stationId }),
  media: 'application/pdf',
})

/** Failed deliveries by what comes next: an attempt today, one on a later day, or waiting for a choice. */
export const failedDeliveryTabs = ['due', 'later', 'waiting'] as const

/** A parcel whose delivery failed, in the work list of its station. */
export const failedDelivery = z.object({
  parcelId: id,
  trackingNumber: z.string(),
  /** The address to visit: the receiver, or the sender of a returned parcel. */
  to: z.nullable(party),
  /** What the recipient has to pay; null: nothing. */
  codAmountMinor: z.nullable(z.number()),
  currency: z.string(),
  /** The rider who has it on record. */
  riderName: z.nullable(z.string()),
  failedAttempt,
})
export type FailedDelivery = z.output<typeof failedDelivery>

const failedFilters = {
  /** The caller's own station when absent; staff of a station see no other. */
  stationId: z.optional(id),
  tab: z._default(z.enum(failedDeliveryTabs), 'due'),
}

export const exportFailedDeliveries = endpoint({
  id: 'staff.failedDeliveriesXls',
  method: 'GET',
  path: `${base}/failed/xls`,
  access: 'staff.operate',
  summary: 'The failed deliveries that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...failedFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listFailedDeliveries = endpoint({
  id: 'staff.failedDeliveries',
  method: 'GET',
  path: `${base}/failed`,
  access: 'staff.operate',
  summary: 'Parcels of a station whose delivery failed: to try again today, on a later day, or waiting for an answer',
  query: z.extend(listQuery([]), failedFilters),
  response: z.extend(page(failedDelivery), {
    counts: z.record(z.enum(failedDeliveryTabs), z.number()),
  }),
})

export const deliveryTaskDetail = z.extend(deliveryTask, {
  /** The history, oldest first. The first rider is the one who scanned it out. */
  steps: z.array(taskStep),
})
export type DeliveryTaskDetail = z.output<typeof deliveryTaskDetail>

export const getDeliveryTask = endpoint({
  ...getTask,
  id: 'staff.delivery',
  path: `${base}/:id`,
  summary: 'A delivery task with its history of riders',
  response: deliveryTaskDetail,
})

export const startDelivery = endpoint({
  ...startTask,
  id: 'staff.deliveryStart',
  path: `${base}/:id/start`,
  summary: 'Starts a delivery task: the rider is on the way',
  response: deliveryTask,
})

export const assignDelivery = endpoint({
  ...assignTask,
  id: 'staff.deliveryAssign',
  path: `${base}/:id/rider`,
  summary: 'Assigns a delivery task to another rider',
  response: deliveryTask,
})
