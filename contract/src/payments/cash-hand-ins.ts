/** Hand-ins: COD cash that riders bring to a station. Another member of staff counts it. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant, optionalText } from '../ground/fields.ts'
import { currency, positiveAmountMinor } from '../ground/money.ts'
import { listQuery, page } from '../ground/paging.ts'
import { cashStation, differenceFilter, drawerNumber } from './cash-desk.ts'
import { cashCount, countInCoins } from './coins.ts'

const base = '/api/staff/cash'

/** A hand-in: COD cash that a rider brings to the station, counted by another member of staff. */
export const cashHandIn = z.object({
  id,
  /** The number of its receipt. */
  number: z.string(),
  station: cashStation,
  rider: z.string(),
  countedBy: z.string(),
  at: instant,
  parcelCount: z.number(),
  currency,
  expectedMinor: z.number(),
  countedMinor: z.number(),
  /** Negative: something was missing. */
  differenceMinor: z.number(),
  reason: z.nullable(z.string()),
})
export type CashHandIn = z.output<typeof cashHandIn>

export const handInCash = endpoint({
  id: 'cash.handIn',
  method: 'POST',
  path: `${base}/hand-ins`,
  access: 'staff.operate',
  summary:
    "Takes in all of a rider's collected money as it was counted, by somebody else than the rider; " +
    'a difference needs a reason. 409 when the rider holds another sum than was seen',
  body: z
    .object({
      drawerNumber,
      riderId: id,
      /** The expected amount, as the caller saw it. */
      expectedMinor: positiveAmountMinor,
      counted: cashCount,
      currency,
      reason: optionalText(200),
    })
    .check(countInCoins()),
  response: cashHandIn,
  idempotent: true,
})

export const handInFilters = { difference: differenceFilter, stationId: z.optional(id) }

export const listOwnHandIns = endpoint({
  id: 'cash.handIns',
  method: 'GET',
  path: `${base}/hand-ins`,
  access: 'staff.operate',
  summary: "What riders handed in at the caller's station, newest first",
  query: z.extend(listQuery([]), { difference: differenceFilter }),
  response: page(cashHandIn),
})

export const printOwnHandIn = endpoint({
  id: 'cash.handInPrint',
  method: 'GET',
  path: `${base}/hand-ins/:id/receipt`,
  access: 'staff.operate',
  summary: "The receipt of a hand-in at the caller's station, with both names and every parcel, as PDF",
  params: idParams,
  media: 'application/pdf',
})

export const listHandIns = endpoint({
  id: 'finance.handIns',
  method: 'GET',
  path: '/api/staff/finance/hand-ins',
  access: 'staff.finance',
  summary: 'Cash hand-ins of riders at all stations, newest first',
  query: z.extend(listQuery([]), handInFilters),
  response: page(cashHandIn),
})

export const printHandIn = endpoint({
  id: 'finance.handInPrint',
  method: 'GET',
  path: '/api/staff/finance/hand-ins/:id/receipt',
  access: 'staff.finance',
  summary: 'The receipt of any hand-in, as PDF',
  params: idParams,
  media: 'application/pdf',
})
