import * as z from 'zod/mini'

/** Money is an integer in minor units beside an ISO 4217 code; never a float. */
export const amountMinor = z.number().check(z.int(), z.minimum(-1_000_000_000_000), z.maximum(1_000_000_000_000))
export const positiveAmountMinor = z.number().check(z.int(), z.minimum(1), z.maximum(1_000_000_000_000))
export const currency = z.string().check(z.regex(/^[A-Z]{3}$/))
export const money = z.object({ amountMinor, currency })
export type Money = z.infer<typeof money>

/** Rounds half up to an integer: the one rounding of a price line. Exact for `numerator / denominator` below 2^53. */
export function roundHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}

/** `basisPoints` hundredths of a percent of an amount, rounded half up. */
export function percentage(amount: number, basisPoints: number): number {
  return roundHalfUp(amount * basisPoints, 10_000)
}
