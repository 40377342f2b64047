import type { Insertable } from 'kysely'
import type { Tx } from '../../db/pool.ts'
import type { DB } from '../../db/schema.ts'
import { insertStatement, type StatementRow } from '../../domains/orders/monthly-billing/queries-statements.ts'
import { receivableMonth } from '../../domains/wallet/ledger/receivables.ts'
import { asAccountId } from '../../http/caller.ts'
import { days, hours, later } from '../../lib/clock.ts'
import type { Account } from '../story/people.ts'
import { idFor } from '../story/random.ts'
import { localDay, localMidnight } from '../story/time.ts'
import type { Booking } from './ledger.ts'

/** Days from a statement to the transfer that pays it; a month's terms leave room. */
const paysAfterDays = 18
const termsDays = 30

/** A month that is over: charged, its statement made in the night after it. */
type Month = { month: string; chargedMinor: number; issuedAt: Date }

/** What of these entries a company was billed, by the months that are over. */
function billedMonths(bookings: readonly Booking[], account: Account, now: Date): Month[] {
  const sums = new Map<string, number>()
  for (const { at, postings } of bookings) {
    const own = postings.find(({ book, accountId }) => book === 'corporate_receivable' && accountId === account.id)
    const month = localDay(at).slice(0, 7)
    if (own && month < localDay(now).slice(0, 7)) sums.set(month, (sums.get(month) ?? 0) - own.amountMinor)
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, chargedMinor]) => ({ month, chargedMinor, issuedAt: nightAfter(month, now) }))
}

/** Shortly after the midnight that ends a month (`YYYY-MM`), which is never to come. */
function nightAfter(month: string, now: Date): Date {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const midnight = localMidnight(new Date(Date.UTC(year, number, 1)))
  return new Date(Math.min(later(midnight, hours(0.5)).getTime(), now.getTime()))
}

/**
 * The transfers by which a company has paid its statements, all but the newest; as entries of the books and as staff
 * has recorded them.
 */
export function receiptsOf(
  bookings: readonly Booking[],
  account: Account,
  { now, currency, recordedBy }: { now: Date; currency: string; recordedBy: string },
): { bookings: Booking[]; rows: Insertable<DB['corporate_receipts']>[] } {
  const paid = billedMonths(bookings, account, now).slice(0, -1)
  const accountId = asAccountId(account.id)
  const made = paid.map(({ month, chargedMinor, issuedAt }) => {
    const at = later(issuedAt, days(paysAfterDays) + hours(10))
    const reference = `FPX ${month.replace('-', '')} KTSB`
    const row = {
      account_id: account.id,
      id: idFor(`receipt ${month}`, at),
      amount_minor: chargedMinor,
      currency,
      reference,
      received_on: localDay(at),
      recorded_by: recordedBy,
      created_at: at,
    }
    const booking: Booking = {
      name: `receipt ${month}`,
      at,
      kind: 'receipt',
      accountId,
      reference,
      actorId: recordedBy,
      currency,
      postings: [
        { book: 'bank', amountMinor: -chargedMinor },
        { book: 'corporate_receivable', accountId, amountMinor: chargedMinor },
      ],
    }
    return { row, booking }
  })
  return { bookings: made.map(({ booking }) => booking), rows: made.map(({ row }) => row) }
}

/** A company's statements of the months that are over, from the books as they are now written. */
export async function seedStatements(
  trx: Tx,
  bookings: readonly Booking[],
  account: Account,
  { now, currency, timeZone }: { now: Date; currency: string; timeZone: string },
): Promise<void> {
  const accountId = asAccountId(account.id)
  for (const { month, issuedAt } of billedMonths(bookings, account, now)) {
    const { opening, charges, credits, receipts } = await receivableMonth(
      trx,
      accountId,
      currency,
      month,
      timeZone,
    ).sums()
    const row: Omit<StatementRow, 'number' | 'overdue_told_at'> = {
      account_id: accountId,
      id: idFor(`statement ${month}`, issuedAt),
      month,
      currency,
      opening_minor: opening,
      charges_minor: charges,
      credits_minor: credits,
      receipts_minor: receipts,
      closing_minor: opening + charges - credits - receipts,
      due_on: localDay(later(issuedAt, days(termsDays))),
      issued_at: issuedAt,
    }
    await insertStatement(trx, row)
  }
}
