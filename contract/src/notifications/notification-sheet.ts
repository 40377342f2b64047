/** The list of notifications as a spreadsheet. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { sheetFormat, sheetMedia } from '../ground/paging.ts'
import { notificationFilters } from './notifications.ts'

export const exportNotifications = endpoint({
  id: 'notifications.xls',
  method: 'GET',
  path: '/api/customer/notifications/xls',
  access: 'signedIn',
  summary: "The caller's notifications that the same filters list, all of them, as .xlsx or .csv",
  query: z.object({ ...notificationFilters, format: sheetFormat }),
  media: sheetMedia,
})
