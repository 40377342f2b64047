/** Background work that has failed, and the calls to retry or discard it. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { instant } from '../ground/fields.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'

/** Background work that has failed too often to be retried automatically. */
export const failedWorkKinds = ['event', 'job'] as const
export type FailedWorkKind = (typeof failedWorkKinds)[number]

/**
 * What is lost if failed work is discarded: `message`: a mail or notification is not sent; `file`: a customer has to
 * upload or request a file again; `time`: nothing, because later work does the same.
 */
export const discardLosses = ['message', 'file', 'time'] as const
export type DiscardLoss = (typeof discardLosses)[number]

const workId = z.string().check(z.regex(/^[1-9]\d{0,17}$/))

export const failedWork = z.object({
  kind: z.enum(failedWorkKinds),
  /** Unique within its kind. */
  id: workId,
  /** The topic of the event or the name of the job, as in the log. */
  name: z.string(),
  attempts: z.number(),
  error: z.string(),
  /** Null: it cannot be discarded, because it books money or changes records. */
  loss: z.nullable(z.enum(discardLosses)),
  createdAt: instant,
  failedAt: instant,
})
export type FailedWork = z.output<typeof failedWork>

export const listFailedWork = endpoint({
  id: 'staff.failedWork',
  method: 'GET',
  path: '/api/staff/failed-work',
  access: 'staff.logs',
  summary: 'Events and jobs that failed for good, the latest failure first',
  query: listQuery([]),
  response: page(failedWork),
})

export const exportFailedWork = endpoint({
  id: 'staff.failedWorkXls',
  method: 'GET',
  path: '/api/staff/failed-work/xls',
  access: 'staff.logs',
  summary: 'All events and jobs that failed for good, as .xlsx or .csv',
  query: z.object({ format: sheetFormat }),
  media: sheetMedia,
})

const items = z.array(z.object({ kind: z.enum(failedWorkKinds), id: workId })).check(z.minLength(1), z.maxLength(200))

export const retryFailedWork = endpoint({
  id: 'staff.retryFailedWork',
  method: 'POST',
  path: '/api/staff/failed-work/retry',
  access: 'staff.logs',
  summary: 'Retries these now with a new count of attempts; returns their number',
  body: z.object({ items }),
  response: z.object({ retried: z.number() }),
})

export const discardFailedWork = endpoint({
  id: 'staff.discardFailedWork',
  method: 'POST',
  path: '/api/staff/failed-work/discard',
  access: 'staff.logs',
  summary: 'Deletes these, all or none; 409 if one of them books money or changes records. Returns their number',
  body: z.object({ items }),
  response: z.object({ discarded: z.number() }),
})
