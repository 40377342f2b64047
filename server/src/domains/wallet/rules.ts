/** Rules of the wallet and the ledger. */
import type { bookKinds } from '@waybill/contract/wallet/ledger'
import type { AccountId } from '../../http/caller.ts'

/** Wrong PINs in a row that lock a wallet (docs/rules/payments.md). */
export const wrongPinsAllowed = 5
export const pinLockMinutes = 15

/** The lifetime of a one-time code of the wallet (docs/rules/payments.md). */
export const codeMinutes = 5

/** The lifetime of the ticket for a first PIN. */
export const ticketMinutes = 10

/**
 * Whether a six-digit PIN is easy to guess: one digit repeated, a run up or down (also past zero: 890123), or a
 * repeated pair or triple (121212, 123123).
 */
export function isWeakPin(pin: string): boolean {
  const digits = [...pin].map(Number)
  const step = (by: number) => digits.every((digit, n) => n === 0 || digit === ((digits[n - 1] ?? 0) + by + 10) % 10)
  const repeats = (length: number) => pin === pin.slice(0, length).repeat(pin.length / length)
  return step(0) || step(1) || step(-1) || repeats(2) || repeats(3)
}

/** Kinds of accounts in the books (migration 0005). */
export type BookKind = (typeof bookKinds)[number]

/** One side of an entry in minor units: positive is a credit (we owe or earned it), negative a debit. */
export type Posting = { book: BookKind; accountId?: AccountId; stationId?: string; amountMinor: number }

/** The name of a ledger account, from which its id is derived. */
export function bookName(posting: Posting, currency: string): string {
  return ['ledger', posting.book, posting.accountId ?? '', posting.stationId ?? '', currency].join(':')
}

/** Throws unless the postings sum to zero and every customer posting names its account. A failure is a bug. */
export function checkEntry(postings: readonly Posting[]): void {
  const sum = postings.reduce((total, { amountMinor }) => total + amountMinor, 0)
  if (sum !== 0) throw new Error(`a journal entry of ${postings.length} postings sums to ${sum}, not to zero`)
  const nobodys = postings.find(({ book, accountId }) => book === 'customer_wallet' && !accountId)
  if (nobodys) throw new Error('a posting to a wallet does not say whose')
}

/** The bonus of a top-up in minor units: of the package with the highest threshold that it reaches, else 0. */
export function topUpBonus(
  amountMinor: number,
  packages: readonly { fromMinor: number; bonusMinor: number }[],
): number {
  const candidates = packages.filter(({ fromMinor }) => amountMinor >= fromMinor)
  return candidates.reduce((best, each) => (each.fromMinor >= best.fromMinor ? each : best), {
    fromMinor: 0,
    bonusMinor: 0,
  }).bonusMinor
}
