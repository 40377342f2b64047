/** Spreadsheets of the lists of the cash desk. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { idParams } from '../ground/fields.ts'
import { sheetFormat, sheetMedia } from '../ground/paging.ts'
import { closeFilters, ownCloseFilters } from './cash-desk.ts'
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

export const exportOwnCloses = endpoint({
  id: 'cash.closesXls',
  method: 'GET',
  path: '/api/staff/cash/closes/xls',
  access: 'staff.operate',
  summary: "The shifts of the station's drawers that the same filters list, all of them, as .xlsx or .csv",
  query: z.object({ ...ownCloseFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const exportCloses = endpoint({
  id: 'finance.closesXls',
  method: 'GET',
  path: '/api/staff/finance/closes/xls',
  access: 'staff.finance',
  summary: 'The shifts of all drawers that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...closeFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const exportCashMovements = endpoint({
  id: 'cash.movementsXls',
  method: 'GET',
  path: '/api/staff/cash/drawers/:id/movements/xls',
  access: 'staff.operate',
  summary: "All movements of a drawer of the caller's station, as .xlsx or .csv",
  params: idParams,
  query: z.object({ format: sheetFormat }),
  media: sheetMedia,
})
