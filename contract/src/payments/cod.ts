/** Cash on delivery: collected, owed and paid-out amounts. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day, id, idParams, instant } from '../ground/fields.ts'
import { currency, minorAmount, positiveAmountMinor } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia, withOrderedPeriod } from '../ground/paging.ts'

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

const format = z.object({ format: z._default(z.enum(['pdf', 'xlsx', 'csv']), 'pdf' as const) })

export const printCodPayout = endpoint({
  id: 'cod.payoutPrint',
  method: 'GET',
  path: '/api/customer/cod/payouts/:id/print',
  access: 'wallet.view',
  summary: 'A payout with its parcels as PDF, .xlsx or .csv',
  params: idParams,
  query: format,
  media: 'application/pdf',
})

export const codOwed = z.object({
  accountId: id,
  accountName: z.string(),
  currency,
  parcelCount: z.number(),
  owedMinor: z.number(),
  /** The part that riders still hold. */
  withRidersMinor: z.number(),
  /** What a payout by staff costs the sender: nothing if the amount is not more than the fee. */
  feeMinor: z.number(),
  oldestAt: instant,
})
export type CodOwed = z.output<typeof codOwed>

/** Money collected for all senders and not paid out yet, by the days since its collection. */
export const codOutstanding = z.object({
  parcels: z.number(),
  owedMinor: z.number(),
  withRidersMinor: z.number(),
  days0to7Minor: z.number(),
  days8to30Minor: z.number(),
  over30Minor: z.number(),
})
export type CodOutstanding = z.output<typeof codOutstanding>

export const exportCodOwed = endpoint({
  id: 'finance.codOwedXls',
  method: 'GET',
  path: '/api/staff/finance/cod/owed/xls',
  access: 'staff.finance',
  summary: 'All senders to whom collected money is owed, as .xlsx or .csv',
  query: z.object({ format: sheetFormat }),
  media: sheetMedia,
})

export const listCodOwed = endpoint({
  id: 'finance.codOwed',
  method: 'GET',
  path: '/api/staff/finance/cod/owed',
  access: 'staff.finance',
  summary: 'Senders to whom collected money is owed, the longest waiting first',
  query: listQuery([]),
  response: z.extend(page(codOwed), {
    currency,
    owedMinor: z.number(),
    /** The fee of the settings, which the weekly payout always charges. */
    feeMinor: z.number(),
  }),
})

export const payOutCod = endpoint({
  id: 'finance.codPayOut',
  method: 'POST',
  path: '/api/staff/finance/cod/payouts',
  access: 'staff.finance',
  summary:
    'Pays senders what is owed to them into their wallets, all or none, less the fee. An amount that is not more ' +
    'than the fee is paid without it. Another total or other fees than those seen, or nothing owed to one of them, ' +
    'answers 409',
  body: z.object({
    accountIds: z.array(id).check(z.minLength(1), z.maxLength(100)),
    totalSeenMinor: positiveAmountMinor,
    /** The sum of the fees that were shown. */
    feesSeenMinor: minorAmount,
  }),
  response: z.object({ items: z.array(codPayout) }),
  idempotent: true,
})

const payoutFilters = { from: z.optional(day), to: z.optional(day) }

export const exportAllCodPayouts = endpoint({
  id: 'finance.codPayoutsXls',
  method: 'GET',
  path: '/api/staff/finance/cod/payouts/xls',
  access: 'staff.finance',
  summary: 'The payouts that the same filters list, all of them, as .xlsx or .csv',
  query: withOrderedPeriod(z.object({ ...payoutFilters, format: sheetFormat })),
  media: sheetMedia,
})

export const listAllCodPayouts = endpoint({
  id: 'finance.codPayouts',
  method: 'GET',
  path: '/api/staff/finance/cod/payouts',
  access: 'staff.finance',
  summary: 'Payouts of collected money to every sender, newest first',
  query: withOrderedPeriod(z.extend(listQuery([]), payoutFilters)),
  response: page(codPayout),
})

export const printAnyCodPayout = endpoint({
  id: 'finance.codPayoutPrint',
  method: 'GET',
  path: '/api/staff/finance/cod/payouts/:id/print',
  access: 'staff.finance',
  summary: 'Any payout with its parcels as PDF, .xlsx or .csv',
  params: idParams,
  query: format,
  media: 'application/pdf',
})
