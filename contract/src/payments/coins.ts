/** Notes and coins. */
import * as z from 'zod/mini'
import { lookup } from '../ground/enums/labels.ts'
import { integer } from '../ground/fields.ts'
import { decimalText, fractionDigits } from '../ground/format.ts'
import { minorAmount, roundHalfUp } from '../ground/money.ts'

/**
 * Notes and coins for counting, largest first. A currency that is not listed is counted as one sum. No smallest coin is
 * more than 10: the constraints `cash_*_explained` of the database rely on it.
 */
const piecesByCurrency: Readonly<Record<string, readonly number[]>> = {
  MYR: [10_000, 5000, 2000, 1000, 500, 100, 50, 20, 10, 5],
  SGD: [10_000, 5000, 1000, 500, 200, 100, 50, 20, 10, 5],
  CNY: [10_000, 5000, 2000, 1000, 500, 100, 50, 10],
  USD: [10_000, 5000, 2000, 1000, 500, 100, 25, 10, 5, 1],
}
export const cashPieces = (code: string): readonly number[] => lookup(piecesByCurrency, code) ?? []

/** The smallest coin, to which amounts in cash are rounded (in Malaysia since 2008). */
const smallestCoin = (code: string): number => cashPieces(code).at(-1) ?? 1

/** Rounds an amount to the nearest one that coins make, half up. */
export function roundToCash(amount: number, code: string): number {
  const coin = smallestCoin(code)
  return roundHalfUp(amount, coin) * coin
}

/** Whether a difference is smaller than every coin. Only rounding leaves it, and no count can avoid it. */
export const isBelowCoin = (difference: number, code: string): boolean => Math.abs(difference) < smallestCoin(code)

/** The amounts that coins make below and above this one, and the nearest of both, as decimal text such as `9.20`. */
type NearestCash = { lower: string; upper: string; nearest: string }

/** Null: coins make this amount. */
export function findNearestCash(amount: number, code: string): NearestCash | null {
  const coin = smallestCoin(code)
  const rest = amount % coin
  if (rest === 0) return null
  const toText = (minor: number): string => decimalText(minor, fractionDigits(code))
  const lower = amount - rest
  return { lower: toText(lower), upper: toText(lower + coin), nearest: toText(roundToCash(amount, code)) }
}

type Issues = z.core.ParsePayload['issues']

function addCoinsIssue(issues: Issues, path: string[], amount: number, code: string): void {
  const nearest = findNearestCash(amount, code)
  if (nearest) issues.push({ code: 'custom', path, params: { rule: 'coins', ...nearest }, input: amount, message: '' })
}

/** The rule `coins` for an amount of a form in this currency. */
/* @__NO_SIDE_EFFECTS__ */
export const inCoins = (code: string) => z.check<number>(({ value, issues }) => addCoinsIssue(issues, [], value, code))

/** The same for a field of a body, in the body's currency. */
/* @__NO_SIDE_EFFECTS__ */
export const coinsAt = <F extends string>(field: F) =>
  z.check<{ currency: string } & Record<F, number>>(({ value, issues }) =>
    addCoinsIssue(issues, [field], value[field], value.currency),
  )

export const cashPiece = z.object({ valueMinor: integer(1, 10_000_000), count: integer(0, 100_000) })
export type CashPiece = z.output<typeof cashPiece>

/** As one sum, or piece by piece. The sum is first: its field is named when there is no count. */
export const cashCount = z.union([
  z.object({ sumMinor: minorAmount }),
  z.object({ pieces: z.array(cashPiece).check(z.maxLength(40)) }),
])

type CountBody = { currency: string; counted: z.output<typeof cashCount> }

/** The rule of a body with a count: its sum, or its pieces, are notes and coins of its currency. */
/* @__NO_SIDE_EFFECTS__ */
export const countInCoins = () =>
  z.check<CountBody>(({ value: { counted: count, currency }, issues }) => {
    if ('sumMinor' in count) return addCoinsIssue(issues, ['counted', 'sumMinor'], count.sumMinor, currency)
    const pieces = cashPieces(currency)
    count.pieces.forEach(({ valueMinor }, index) => {
      if (pieces.length === 0 || pieces.includes(valueMinor)) return
      const path = ['counted', 'pieces', index, 'valueMinor']
      issues.push({ code: 'custom', path, params: { rule: 'enum' }, input: valueMinor, message: '' })
    })
  })
