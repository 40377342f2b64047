/** Notes and coins. */
import { lookup } from '../ground/enums.ts'
import { roundHalfUp } from '../ground/money.ts'

/** Notes and coins for counting, largest first. A currency that is not listed is counted as one sum. */
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
