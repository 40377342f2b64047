/** Reports as files: created in the background, with progress and download. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day, id, idParams, instant, ok } from '../ground/fields.ts'
import { keysetPage, keysetQuery } from '../ground/paging.ts'
import { reportFilters } from './orders.ts'
import { reportPeriod } from './service-levels.ts'

export const reportFileFormats = ['pdf', 'xlsx', 'csv'] as const
export type ReportFileFormat = (typeof reportFileFormats)[number]

/** The failed step: writing the report, or storing the finished file. */
export const reportFailures = ['writing', 'storing'] as const

export const reportFileStates = ['queued', 'running', 'ready', 'failed'] as const

export const reportFile = z.object({
  id,
  format: z.enum(reportFileFormats),
  state: z.enum(reportFileStates),
  /** Rows written to the file so far, and in total. */
  done: z.number(),
  total: z.number(),
  /** Only for a failed one. */
  failure: z.nullable(z.enum(reportFailures)),
  /** The period of the report. */
  from: day,
  to: day,
  createdAt: instant,
  /** When the file is deleted. */
  expiresAt: instant,
  /** Only for a finished one. */
  bytes: z.nullable(z.number()),
})
export type ReportFile = z.output<typeof reportFile>

const format = z.enum(reportFileFormats)
const path = '/api/customer/reports/orders/files'
const staffPath = '/api/staff/reports/files'

export const createReportFile = endpoint({
  id: 'reportFiles.create',
  method: 'POST',
  path,
  access: 'reports',
  summary: 'Makes the report of orders as a file, in the background. The filters are those of the report',
  body: z.object({ format, ...reportFilters }),
  response: reportFile,
})

export const listReportFiles = endpoint({
  id: 'reportFiles.list',
  method: 'GET',
  path,
  access: 'reports',
  summary: 'The files that the caller requested in the last seven days, newest first',
  query: keysetQuery(),
  response: keysetPage(reportFile),
})

export const getReportFile = endpoint({
  id: 'reportFiles.get',
  method: 'GET',
  path: `${path}/:id`,
  access: 'reports',
  summary: 'The progress of a file, in rows',
  params: idParams,
  response: reportFile,
})

export const retryReportFile = endpoint({
  id: 'reportFiles.retry',
  method: 'POST',
  path: `${path}/:id/retry`,
  access: 'reports',
  summary: 'Restarts a failed file; any other stays unchanged',
  params: idParams,
  response: reportFile,
})

export const downloadReportFile = endpoint({
  id: 'reportFiles.file',
  method: 'GET',
  path: `${path}/:id/file`,
  access: 'reports',
  summary: 'The finished file; it is kept for seven days',
  params: idParams,
  media: 'application/octet-stream',
})

export const removeReportFile = endpoint({
  id: 'reportFiles.remove',
  method: 'DELETE',
  path: `${path}/:id`,
  access: 'reports',
  summary: 'Deletes a file before its seven days are over; cancels one that is not finished',
  params: idParams,
  response: ok,
})

export const createStaffReportFile = endpoint({
  id: 'staffReportFiles.create',
  method: 'POST',
  path: staffPath,
  access: 'staff.finance',
  summary: 'Makes the report of all accounts as a file, in the background',
  body: z.object({ format, ...reportPeriod }),
  response: reportFile,
})

export const listStaffReportFiles = endpoint({
  id: 'staffReportFiles.list',
  method: 'GET',
  path: staffPath,
  access: 'staff.finance',
  summary: 'The files that the caller requested in the last seven days, newest first',
  query: keysetQuery(),
  response: keysetPage(reportFile),
})

export const getStaffReportFile = endpoint({
  id: 'staffReportFiles.get',
  method: 'GET',
  path: `${staffPath}/:id`,
  access: 'staff.finance',
  summary: 'The progress of a file, in rows',
  params: idParams,
  response: reportFile,
})

export const retryStaffReportFile = endpoint({
  id: 'staffReportFiles.retry',
  method: 'POST',
  path: `${staffPath}/:id/retry`,
  access: 'staff.finance',
  summary: 'Restarts a failed file; any other stays unchanged',
  params: idParams,
  response: reportFile,
})

export const downloadStaffReportFile = endpoint({
  id: 'staffReportFiles.file',
  method: 'GET',
  path: `${staffPath}/:id/file`,
  access: 'staff.finance',
  summary: 'The finished file; it is kept for seven days',
  params: idParams,
  media: 'application/octet-stream',
})

export const removeStaffReportFile = endpoint({
  id: 'staffReportFiles.remove',
  method: 'DELETE',
  path: `${staffPath}/:id`,
  access: 'staff.finance',
  summary: 'Deletes a file before its seven days are over; cancels one that is not finished',
  params: idParams,
  response: ok,
})
