/** Cash on delivery: collected, owed and paid-out amounts. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia } from '../ground/paging.ts'

/** The state of a parcel's COD money; label `cod.state.<state>` in the locale files. */
export const codStates = ['owed', 'paid_out'] as const

export const codItem = z.object({
  parcelId: id,
  /** Null: the caller may not see this parcel. */
  trackingNumber: z.nullable(z.string()),
  amountMinor: z.number(),
  currency,
  collectedAt: instant,
  state: z.enum(codStates),
  payoutNumber: z.nullable(z.string()),
  paidOutAt: z.nullable(instant),
})
export type CodItem = z.output<typeof codItem>

const listFilters = { state: z.optional(z.enum(codStates)) }

export const exportCod = endpoint({
  id: 'cod.xls',
  method: 'GET',
  path: '/api/customer/cod/xls',
  access: 'wallet.view',
  summary: 'The collections that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...listFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listCod = endpoint({
  id: 'cod.list',
  method: 'GET',
  path: '/api/customer/cod',
  access: 'wallet.view',
  summary: 'Cash on delivery by parcel, newest first, with the amounts owed and paid out',
  query: z.extend(listQuery([]), listFilters),
  response: z.extend(page(codItem), { currency, owedMinor: z.number(), paidOutMinor: z.number() }),
})

export const codPayout = z.object({
  id,
  number: z.string(),
  accountId: id,
  accountName: z.string(),
  currency,
  parcelCount: z.number(),
  collectedMinor: z.number(),
  feeMinor: z.number(),
  paidMinor: z.number(),
  /** Null: it was the weekly payout. */
  by: z.nullable(z.string()),
  at: instant,
})
export type CodPayout = z.output<typeof codPayout>

export const exportCodPayouts = endpoint({
  id: 'cod.payoutsXls',
  method: 'GET',
  path: '/api/customer/cod/payouts/xls',
  access: 'wallet.view',
  summary: 'All payouts to the wallet as .xlsx or .csv',
  query: z.object({ format: sheetFormat }),
  media: sheetMedia,
})

export const listCodPayouts = endpoint({
  id: 'cod.payouts',
  method: 'GET',
  path: '/api/customer/cod/payouts',
  access: 'wallet.view',
  summary: 'Payouts of collected money to the wallet, newest first',
  query: listQuery([]),
  response: page(codPayout),
})

/** The formats of a printed payout. */
export const payoutFormat = z.object({ format: z._default(z.enum(['pdf', 'xlsx', 'csv']), 'pdf' as const) })

export const printCodPayout = endpoint({
  id: 'cod.payoutPrint',
  method: 'GET',
  path: '/api/customer/cod/payouts/:id/print',
  access: 'wallet.view',
  summary: 'A payout with its parcels as PDF, .xlsx or .csv',
  params: idParams,
  query: payoutFormat,
  media: 'application/pdf',
})
