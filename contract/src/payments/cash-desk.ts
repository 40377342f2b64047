/** The cash desk of a station: drawers, counts, sales, hand-ins. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { lookup } from '../ground/enums.ts'
import { day, id, idParams, instant, integer, optionalText, text, version } from '../ground/fields.ts'
import { currency, minorAmount, positiveAmountMinor, roundHalfUp } from '../ground/money.ts'
import { listQuery, page } from '../ground/paging.ts'
import { outstandingKinds } from '../parcels/outstanding.ts'

const base = '/api/staff/cash'

/** Notes and coins for counting, largest first. A currency that is not listed is counted as one sum. */
const piecesByCurrency: Readonly<Record<string, readonly number[]>> = {
  MYR: [10_000, 5000, 2000, 1000, 500, 100, 50, 20, 10, 5],
  SGD: [10_000, 5000, 1000, 500, 200, 100, 50, 20, 10, 5],
  CNY: [10_000, 5000, 2000, 1000, 500, 100, 50, 10],
  USD: [10_000, 5000, 2000, 1000, 500, 100, 25, 10, 5, 1],
}
export const cashPieces = (code: string): readonly number[] => lookup(piecesByCurrency, code) ?? []

/** The smallest coin: amounts in cash are rounded to it (in Malaysia since 2008). */
const smallestCoin: Readonly<Record<string, number>> = { MYR: 5, SGD: 5 }

/** Rounds an amount to the nearest coin, half up. */
export function roundToCash(amount: number, code: string): number {
  const coin = lookup(smallestCoin, code) ?? 1
  return roundHalfUp(amount, coin) * coin
}

/** Kinds of cash movements; label `cashMovement.<kind>` in the locale files. */
export const cashMovementKinds = ['sale', 'cash_in', 'cash_out', 'bank', 'hand_in'] as const
/** The movements that staff enter manually, with a reason. */
export const enteredMovementKinds = ['cash_in', 'cash_out', 'bank'] as const

const piece = z.object({
  valueMinor: integer(1, 10_000_000),
  count: integer(0, 100_000),
})
export type CashPiece = z.output<typeof piece>

const station = z.object({ id, code: z.string(), name: z.string() })

/** A station's drawer of a day; open until it is counted and signed off. */
export const cashDrawer = z.object({
  id,
  version,
  station,
  day,
  currency,
  state: z.enum(['open', 'closed']),
  carriedMinor: z.number(),
  floatMinor: z.number(),
  floatReason: z.nullable(z.string()),
  /** Sums of the movements by kind; negative if cash left the drawer. */
  salesMinor: z.number(),
  salesCount: z.number(),
  handedInMinor: z.number(),
  cashInMinor: z.number(),
  cashOutMinor: z.number(),
  bankMinor: z.number(),
  expectedMinor: z.number(),
  countedMinor: z.nullable(z.number()),
  differenceMinor: z.nullable(z.number()),
  reason: z.nullable(z.string()),
  pieces: z.nullable(z.array(piece)),
  openedBy: z.string(),
  openedAt: instant,
  closedBy: z.nullable(z.string()),
  closedAt: z.nullable(instant),
})
export type CashDrawer = z.output<typeof cashDrawer>

/** A rider who has collected COD cash and not handed it in yet. */
const holder = z.object({ userId: id, name: z.string(), count: z.number(), amountMinor: z.number(), since: instant })
export type CashHolder = z.output<typeof holder>

export const getDrawer = endpoint({
  id: 'cash.drawer',
  method: 'GET',
  path: `${base}/drawer`,
  access: 'staff.operate',
  summary: "The open drawer of the caller's station, what the one before left, and what riders still have with them",
  response: z.object({
    station,
    today: day,
    currency,
    drawer: z.nullable(cashDrawer),
    /** The open drawer's day is over: it must be counted before it takes more money. */
    dayOver: z.boolean(),
    closedToday: z.boolean(),
    carriedMinor: z.number(),
    holders: z.array(holder),
  }),
})

export const openDrawer = endpoint({
  id: 'cash.open',
  method: 'POST',
  path: `${base}/drawer`,
  access: 'staff.operate',
  summary: 'Opens the drawer of the day with its float; less than the day before left needs a reason',
  body: z.object({ floatMinor: minorAmount, currency, reason: optionalText(200) }),
  response: cashDrawer,
  idempotent: true,
})

export const cashMovement = z.object({
  id,
  kind: z.enum(cashMovementKinds),
  amountMinor: z.number(),
  balanceAfterMinor: z.number(),
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
  path: `${base}/drawers/:id/movements`,
  access: 'staff.operate',
  summary: "Movements of a drawer of the caller's station, newest first",
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
  body: z.object({
    kind: z.enum(enteredMovementKinds),
    amountMinor: positiveAmountMinor,
    currency,
    reason: text(200),
  }),
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
  body: z.object({ code: scannedCode, totalSeenMinor: minorAmount, givenMinor: minorAmount, currency }),
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

/** As one sum, or piece by piece. The sum is first: its field is named when there is no count. */
const cashCount = z.union([
  z.object({ sumMinor: minorAmount }),
  z.object({ pieces: z.array(piece).check(z.maxLength(40)) }),
])

/** A hand-in: COD cash that a rider brings to the station, counted by another member of staff. */
export const cashHandIn = z.object({
  id,
  /** The number of its receipt. */
  number: z.string(),
  station,
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
  body: z.object({
    riderId: id,
    /** The expected amount, as the caller saw it. */
    expectedMinor: positiveAmountMinor,
    counted: cashCount,
    currency,
    reason: optionalText(200),
  }),
  response: cashHandIn,
  idempotent: true,
})

const difference = z.optional(z.enum(['any', 'none']))
export const handInFilters = { difference, stationId: z.optional(id) }

export const listOwnHandIns = endpoint({
  id: 'cash.handIns',
  method: 'GET',
  path: `${base}/hand-ins`,
  access: 'staff.operate',
  summary: "What riders handed in at the caller's station, newest first",
  query: z.extend(listQuery([]), { difference }),
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

export const closeDrawer = endpoint({
  id: 'cash.close',
  method: 'POST',
  path: `${base}/drawers/:id/close`,
  access: 'staff.operate',
  summary: 'Counts and signs off a drawer; a difference needs a reason and is booked. Afterwards its day is closed',
  params: idParams,
  body: z.object({
    version,
    counted: cashCount,
    currency,
    reason: optionalText(200),
  }),
  response: cashDrawer,
})

export const ownCloseFilters = { from: z.optional(day), to: z.optional(day) }
export const closeFilters = { ...ownCloseFilters, stationId: z.optional(id), difference }

export const listOwnCloses = endpoint({
  id: 'cash.closes',
  method: 'GET',
  path: `${base}/closes`,
  access: 'staff.operate',
  summary: "Drawers of the caller's station, newest day first",
  query: z.extend(listQuery(['day']), ownCloseFilters),
  response: page(cashDrawer),
})

export const printOwnClose = endpoint({
  id: 'cash.closePrint',
  method: 'GET',
  path: `${base}/closes/:id/print`,
  access: 'staff.operate',
  summary: "The day's report of a drawer of the caller's station, as PDF",
  params: idParams,
  media: 'application/pdf',
})

export const listCloses = endpoint({
  id: 'finance.closes',
  method: 'GET',
  path: '/api/staff/finance/closes',
  access: 'staff.finance',
  summary: 'Drawers of every station, newest day first',
  query: z.extend(listQuery(['day']), closeFilters),
  response: page(cashDrawer),
})

export const printClose = endpoint({
  id: 'finance.closePrint',
  method: 'GET',
  path: '/api/staff/finance/closes/:id/print',
  access: 'staff.finance',
  summary: "The day's report of any drawer, as PDF",
  params: idParams,
  media: 'application/pdf',
})
