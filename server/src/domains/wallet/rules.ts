import type { bookKinds } from '@waybill/contract/wallet/ledger'
import type { AccountId } from '../../http/caller.ts'

/** Wrong PINs in a row that lock a wallet, and for how long (docs/rules/payments.md). */
export const wrongPinsAllowed = 5
export const pinLockMinutes = 15

/** How long a one-time code of the wallet is good (docs/rules/payments.md). */
export const codeMinutes = 5

/** How long the ticket for setting a first PIN is good, after its one-time code was right. */
export const ticketMinutes = 10

/**
 * Whether a six-digit PIN is one of the first that anybody would try: one digit throughout, a run up or down (round the
 * zero as well: 890123), a pair or triple again and again (121212, 123123).
 */
export function isWeakPin(pin: string): boolean {
  const digits = [...pin].map(Number)
  const step = (by: number) => digits.every((digit, n) => n === 0 || digit === ((digits[n - 1] ?? 0) + by + 10) % 10)
  const repeats = (length: number) => pin === pin.slice(0, length).repeat(pin.length / length)
  return step(0) || step(1) || step(-1) || repeats(2) || repeats(3)
}

/** Kinds of accounts in the books (migration 0005). */
export type BookKind = (typeof bookKinds)[number]

/** One side of an entry: positive is a credit (we owe more, or have earned), negative a debit. Minor units. */
export type Posting = { book: BookKind; accountId?: AccountId; stationId?: string; amountMinor: number }

/** What names an account of the books; its id is derived from it. */
export function bookName(posting: Posting, currency: string): string {
  return ['ledger', posting.book, posting.accountId ?? '', posting.stationId ?? '', currency].join(':')
}

/**
 * Throws unless the postings sum to zero and every one that belongs to a customer says whose it is: such an entry is a
 * mistake in the program.
 */
export function checkEntry(postings: readonly Posting[]): void {
  const sum = postings.reduce((total, { amountMinor }) => total + amountMinor, 0)
  if (sum !== 0) throw new Error(`a journal entry of ${postings.length} postings sums to ${sum}, not to zero`)
  const nobodys = postings.find(({ book, accountId }) => book === 'customer_wallet' && !accountId)
  if (nobodys) throw new Error('a posting to a wallet does not say whose')
}

/** Counting stops here, so that a long history is as fast as a short one; a total this high means "so many or more". */
export const countLimit = 10_000

/**
 * What a top-up earns beside itself: the package with the highest threshold that it reaches; 0 where it reaches none.
 * Minor units.
 */
export function topUpBonus(
  amountMinor: number,
  packages: readonly { fromMinor: number; bonusMinor: number }[],
): number {
  const reached = packages.filter(({ fromMinor }) => amountMinor >= fromMinor)
  return reached.reduce((best, each) => (each.fromMinor >= best.fromMinor ? each : best), {
    fromMinor: 0,
    bonusMinor: 0,
  }).bonusMinor
}
