/** The ledger for staff: trial balance and postings. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day, id, instant, integerText } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { keysetPage, keysetQuery, sheetFormat, sheetMedia, withOrderedPeriod } from '../ground/paging.ts'
import { movementKinds } from './wallet.ts'

/** Books of the ledger; label `book.<kind>` in the locale files. */
export const bookKinds = [
  'customer_wallet',
  'gateway_clearing',
  'station_cash',
  'bank',
  'corporate_receivable',
  'revenue',
  'tax',
  'refunds',
  'cod_payable',
  'promotion',
  'petty_cash',
  'cash_difference',
  'cash_rounding',
  'claims',
] as const

const line = z.object({ kind: z.enum(bookKinds), currency, debitMinor: z.number(), creditMinor: z.number() })
const problem = z.object({
  kind: z.enum(['unbalanced', 'lines', 'account', 'running_balance', 'balance', 'overdrawn']),
  entryId: z.nullable(id),
  ledgerAccountId: z.nullable(id),
  found: z.string(),
  expected: z.string(),
})

/** Debits and credits of every book, and the problems found. */
export const trialBalance = z.object({
  /** Null: the current state. */
  day: z.nullable(day),
  checkedAt: instant,
  lines: z.array(line),
  problems: z.array(problem),
})
export type TrialBalance = z.output<typeof trialBalance>

const trialFilters = { days: z._default(integerText(1, 90), 14) }

export const listTrialBalances = endpoint({
  id: 'finance.trialBalances',
  method: 'GET',
  path: '/api/staff/finance/trial-balance',
  access: 'staff.finance',
  summary: 'The trial balances of the last days, newest first',
  query: z.object(trialFilters),
  response: z.object({ items: z.array(trialBalance) }),
})

export const exportTrialBalances = endpoint({
  id: 'finance.trialBalancesXls',
  method: 'GET',
  path: '/api/staff/finance/trial-balance/xls',
  access: 'staff.finance',
  summary: 'The trial balances of the last days as .xlsx or .csv: a row for each book',
  query: z.object({ ...trialFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const proveBooks = endpoint({
  id: 'finance.proveBooks',
  method: 'GET',
  path: '/api/staff/finance/trial-balance/now',
  access: 'staff.finance',
  summary: 'Calculates a trial balance from all postings now',
  response: z.extend(trialBalance, { entries: z.number(), postings: z.number(), wallets: z.number() }),
  perMinute: 6,
})

export const bookEntry = z.object({
  id,
  at: instant,
  kind: z.enum(movementKinds),
  reference: z.nullable(z.string()),
  orderId: z.nullable(id),
  paymentId: z.nullable(id),
  accountName: z.nullable(z.string()),
  by: z.nullable(z.string()),
  /** A withdrawal that is not reversed: the bank may return it. */
  returnable: z.boolean(),
  postings: z.array(
    z.object({
      book: z.enum(bookKinds),
      accountName: z.nullable(z.string()),
      stationName: z.nullable(z.string()),
      amountMinor: z.number(),
      currency,
      balanceAfterMinor: z.nullable(z.number()),
    }),
  ),
})
export type BookEntry = z.output<typeof bookEntry>

const entryFilters = {
  /**
   * The beginning of its reference (such as an order's number), or the id of its entry, order, payment or account.
   */
  search: z.optional(z.string().check(z.maxLength(60))),
  accountId: z.optional(id),
  kind: z.optional(z.enum(movementKinds)),
  book: z.optional(z.enum(bookKinds)),
  /** Either side of a posting. */
  amountMinor: z.optional(integerText(1, 1_000_000_000_000)),
  from: z.optional(day),
  to: z.optional(day),
}

export const exportEntries = endpoint({
  id: 'finance.movementsXls',
  method: 'GET',
  path: '/api/staff/finance/movements/xls',
  access: 'staff.finance',
  summary: 'The entries that the same filters list, all of them, as .xlsx or .csv: a row for each posting',
  query: withOrderedPeriod(z.object({ ...entryFilters, format: sheetFormat })),
  media: sheetMedia,
})

export const searchEntries = endpoint({
  id: 'finance.movements',
  method: 'GET',
  path: '/api/staff/finance/movements',
  access: 'staff.finance',
  summary: 'Entries of the books with all their postings, newest first',
  query: withOrderedPeriod(z.extend(keysetQuery(), entryFilters)),
  response: keysetPage(bookEntry),
})
