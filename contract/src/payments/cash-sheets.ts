/** Spreadsheets of the lists of the cash desk. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { idParams } from '../ground/fields.ts'
import { sheetFormat, sheetMedia, withOrderedPeriod } from '../ground/paging.ts'
import { ownShiftFilters, shiftFilters } from './cash-desk.ts'
import { handInFilters } from './cash-hand-ins.ts'

export const exportHandIns = endpoint({
  id: 'finance.handInsXls',
  method: 'GET',
  path: '/api/staff/finance/hand-ins/xls',
  access: 'staff.finance',
  summary: 'The hand-ins that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...handInFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const exportOwnShifts = endpoint({
  id: 'cash.shiftsXls',
  method: 'GET',
  path: '/api/staff/cash/shifts/xls',
  access: 'staff.operate',
  summary: "The shifts of the station's drawers that the same filters list, all of them, as .xlsx or .csv",
  query: withOrderedPeriod(z.object({ ...ownShiftFilters, format: sheetFormat })),
  media: sheetMedia,
})

export const exportShifts = endpoint({
  id: 'finance.shiftsXls',
  method: 'GET',
  path: '/api/staff/finance/shifts/xls',
  access: 'staff.finance',
  summary: 'The shifts of all drawers that the same filters list, all of them, as .xlsx or .csv',
  query: withOrderedPeriod(z.object({ ...shiftFilters, format: sheetFormat })),
  media: sheetMedia,
})

export const exportCashMovements = endpoint({
  id: 'cash.movementsXls',
  method: 'GET',
  path: '/api/staff/cash/shifts/:id/movements/xls',
  access: 'staff.operate',
  summary: "All movements of a drawer of the caller's station, as .xlsx or .csv",
  params: idParams,
  query: z.object({ format: sheetFormat }),
  media: sheetMedia,
})
