/** What staff see and pay out of the collected cash. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day, id, idParams, instant } from '../ground/fields.ts'
import { currency, minorAmount, positiveAmountMinor } from '../ground/money.ts'
import { listQuery, page, sheetFormat, sheetMedia, withOrderedPeriod } from '../ground/paging.ts'
import { codPayout, payoutFormat } from './cod.ts'

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
  query: payoutFormat,
  media: 'application/pdf',
})
