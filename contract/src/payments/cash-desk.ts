/** The cash desk of a station: drawers, counts, sales. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day, id, idParams, instant, integer, optionalText, text, version } from '../ground/fields.ts'
import { currency, minorAmount, positiveMinorAmount } from '../ground/money.ts'
import { listQuery, page, withOrderedPeriod } from '../ground/paging.ts'
import { outstandingKinds } from '../parcels/outstanding.ts'
import { cashCount, cashPiece, coinsAt, countInCoins } from './coins.ts'

const base = '/api/staff/cash'

/** Kinds of cash movements; label `cashMovement.<kind>` in the locale files. */
export const cashMovementKinds = ['sale', 'cash_in', 'cash_out', 'bank', 'hand_in'] as const
/** The movements that staff enter manually, with a reason. */
export const enteredMovementKinds = ['cash_in', 'cash_out', 'bank'] as const

export const cashStation = z.object({ id, code: z.string(), name: z.string() })

/** The most drawers of a station. */
export const mostDrawers = 20
/** The number of a drawer within its station. */
export const drawerNumber = integer(1, mostDrawers)

/** One count of a drawer. A count that differs from the books is accepted only with a reason. */
const drawerCount = z.object({
  countedMinor: z.number(),
  differenceMinor: z.number(),
  reason: z.nullable(z.string()),
  accepted: z.boolean(),
  by: z.string(),
  at: instant,
})
export type DrawerCount = z.output<typeof drawerCount>

/**
 * One shift of a drawer: open until it is counted and signed off. While it is open, only callers with `staff.finance`
 * get the sums and the counts (blind count); for others they are null.
 */
export const drawerShift = z.object({
  id,
  version,
  station: cashStation,
  number: z.number(),
  day,
  /** Counts from 1 on each day. */
  shift: z.number(),
  currency,
  state: z.enum(['open', 'closed']),
  carriedMinor: z.number(),
  floatMinor: z.number(),
  floatReason: z.nullable(z.string()),
  salesCount: z.number(),
  /** Sums of the movements by kind; negative if cash left the drawer. */
  sums: z.nullable(
    z.object({
      salesMinor: z.number(),
      handedInMinor: z.number(),
      cashInMinor: z.number(),
      cashOutMinor: z.number(),
      bankMinor: z.number(),
      expectedMinor: z.number(),
    }),
  ),
  countedMinor: z.nullable(z.number()),
  differenceMinor: z.nullable(z.number()),
  reason: z.nullable(z.string()),
  pieces: z.nullable(z.array(cashPiece)),
  openedBy: z.string(),
  openedAt: instant,
  closedBy: z.nullable(z.string()),
  closedAt: z.nullable(instant),
  /** All counts, the last one first. */
  counts: z.nullable(z.array(drawerCount)),
  /** The last time that a supervisor reopened it. */
  reopened: z.nullable(z.object({ by: z.string(), at: instant, reason: z.string() })),
  /** Whether the caller may reopen it: a supervisor, until the next shift of the drawer begins. */
  mayReopen: z.boolean(),
})
export type DrawerShift = z.output<typeof drawerShift>

/** A rider who has collected COD cash and not handed it in yet. */
const holder = z.object({ userId: id, name: z.string(), count: z.number(), amountMinor: z.number(), since: instant })
export type CashHolder = z.output<typeof holder>

/** A drawer of a station as it is now. */
const stationDrawer = z.object({
  number: z.number(),
  /** Its open shift. */
  open: z.nullable(drawerShift),
  /** The day of the open shift is over: it must be counted before it takes more money. */
  dayOver: z.boolean(),
  /** Its last closed shift, which left `carriedMinor` in it. */
  lastClosed: z.nullable(drawerShift),
  carriedMinor: z.number(),
})
export type StationDrawer = z.output<typeof stationDrawer>

export const listDrawers = endpoint({
  id: 'cash.drawers',
  method: 'GET',
  path: `${base}/drawers`,
  access: 'staff.operate',
  summary: "The drawers of the caller's station, what their last shifts left, and what riders still have with them",
  response: z.object({
    station: cashStation,
    today: day,
    currency,
    /** By number; the first one is listed before it has been opened. */
    drawers: z.array(stationDrawer),
    /** The number of another drawer; null before the first one is used, and if the station has the most. */
    nextNumber: z.nullable(z.number()),
    holders: z.array(holder),
  }),
})

export const openDrawer = endpoint({
  id: 'cash.open',
  method: 'POST',
  path: `${base}/drawers`,
  access: 'staff.operate',
  summary: 'Begins a shift of a drawer with its float; less than the last shift left needs a reason',
  body: z
    .object({ drawerNumber, floatMinor: minorAmount, currency, reason: optionalText(200) })
    .check(coinsAt('floatMinor')),
  response: drawerShift,
  idempotent: true,
})

export const cashMovement = z.object({
  id,
  kind: z.enum(cashMovementKinds),
  amountMinor: z.number(),
  /** Null during a blind count. */
  balanceAfterMinor: z.nullable(z.number()),
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  givenMinor: z.nullable(z.number()),
  /** Of a sale or a hand-in. */
  receiptNumber: z.nullable(z.string()),
  orderId: z.nullable(id),
  by: z.string(),
  at: instant,
})
export type CashMovement = z.output<typeof cashMovement>

export const listCashMovements = endpoint({
  id: 'cash.movements',
  method: 'GET',
  path: `${base}/shifts/:id/movements`,
  access: 'staff.operate',
  summary: "Movements of a shift of a drawer at the caller's station, newest first",
  params: idParams,
  query: listQuery([]),
  response: page(cashMovement),
})

export const moveCash = endpoint({
  id: 'cash.move',
  method: 'POST',
  path: `${base}/movements`,
  access: 'staff.operate',
  summary: 'Records cash put into or taken out of the open drawer with the reason, or taken to the bank',
  body: z
    .object({
      drawerNumber,
      kind: z.enum(enteredMovementKinds),
      amountMinor: positiveMinorAmount,
      currency,
      reason: text(200),
    })
    .check(coinsAt('amountMinor')),
  response: cashMovement,
  idempotent: true,
})

const scannedCode = z.string().check(z.trim(), z.minLength(3), z.maxLength(60))

/** The amount due for a scanned slip, order or parcel. */
export const cashDue = z.object({
  accountName: z.string(),
  kind: z.enum(outstandingKinds),
  orderNumber: z.nullable(z.string()),
  parcels: z.array(
    z.object({
      parcelId: id,
      trackingNumber: z.nullable(z.string()),
      receiver: z.nullable(z.string()),
      amountDueMinor: z.number(),
    }),
  ),
  totalMinor: z.number(),
  /** The total rounded to the nearest coin, to be paid in cash. */
  cashMinor: z.number(),
  currency,
})
export type CashDue = z.output<typeof cashDue>

export const findCashDue = endpoint({
  id: 'cash.due',
  method: 'GET',
  path: `${base}/due`,
  access: 'staff.operate',
  summary: 'The amount due for the number of a slip, an order or a parcel; 409 if nothing is due',
  query: z.object({ code: scannedCode }),
  response: cashDue,
})

export const takeCash = endpoint({
  id: 'cash.take',
  method: 'POST',
  path: `${base}/sales`,
  access: 'staff.operate',
  summary: 'Records a cash payment of an amount due: settles it, issues the invoice, and books it into the open drawer',
  body: z
    .object({ drawerNumber, code: scannedCode, totalSeenMinor: minorAmount, givenMinor: minorAmount, currency })
    .check(coinsAt('givenMinor')),
  response: z.object({
    movementId: id,
    paymentId: id,
    orderNumber: z.nullable(z.string()),
    totalMinor: z.number(),
    cashMinor: z.number(),
    givenMinor: z.number(),
    changeMinor: z.number(),
    currency,
    parcels: z.array(z.string()),
  }),
  idempotent: true,
})

export const closeDrawer = endpoint({
  id: 'cash.close',
  method: 'POST',
  path: `${base}/shifts/:id/close`,
  access: 'staff.operate',
  summary:
    'Counts a drawer and ends its shift. A count that differs needs a reason and is booked; without one the response ' +
    'is 422 `count_differs`, and the count is kept',
  params: idParams,
  body: z.object({ version, counted: cashCount, currency, reason: optionalText(200) }).check(countInCoins()),
  response: drawerShift,
})

export const reopenDrawer = endpoint({
  id: 'cash.reopen',
  method: 'POST',
  path: `${base}/shifts/:id/reopen`,
  access: 'staff.supervise',
  summary: 'Reopens the last shift of a drawer to count it again, with a reason; the booked difference is reversed',
  params: idParams,
  body: z.object({ version, reason: text(200) }),
  response: drawerShift,
})

export const ownShiftFilters = { from: z.optional(day), to: z.optional(day) }
/** With a difference, or without one. */
export const differenceFilter = z.optional(z.enum(['any', 'none']))
export const shiftFilters = { ...ownShiftFilters, stationId: z.optional(id), difference: differenceFilter }

export const listOwnShifts = endpoint({
  id: 'cash.shifts',
  method: 'GET',
  path: `${base}/shifts`,
  access: 'staff.operate',
  summary: "Shifts of the drawers at the caller's station, newest day first",
  query: withOrderedPeriod(z.extend(listQuery(['day']), ownShiftFilters)),
  response: page(drawerShift),
})

export const printOwnShift = endpoint({
  id: 'cash.shiftPrint',
  method: 'GET',
  path: `${base}/shifts/:id/print`,
  access: 'staff.operate',
  summary: "The report of a shift of a drawer at the caller's station, as PDF",
  params: idParams,
  media: 'application/pdf',
})

export const listShifts = endpoint({
  id: 'finance.shifts',
  method: 'GET',
  path: '/api/staff/finance/shifts',
  access: 'staff.finance',
  summary: 'Shifts of the drawers of every station, newest day first',
  query: withOrderedPeriod(z.extend(listQuery(['day']), shiftFilters)),
  response: page(drawerShift),
})

export const printShift = endpoint({
  id: 'finance.shiftPrint',
  method: 'GET',
  path: '/api/staff/finance/shifts/:id/print',
  access: 'staff.finance',
  summary: 'The report of a shift of any drawer, as PDF',
  params: idParams,
  media: 'application/pdf',
})
