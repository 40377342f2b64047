/** Money: integers in minor units with an ISO 4217 code, never a float. */
import * as z from 'zod/mini'
import { integer } from './fields.ts'

export const amountMinor = integer(-1_000_000_000_000, 1_000_000_000_000)
export const positiveAmountMinor = integer(1, 1_000_000_000_000)
/**
 * Amounts that people type: a price, a fee, the value of a parcel. At most ten million of a currency with two digits.
 */
export const minorAmount = integer(0, 1_000_000_000)
export const positiveMinorAmount = integer(1, 1_000_000_000)
/** Hundredths of a percent, up to 100 %. */
export const basisPoints = integer(0, 10_000)
export const currency = z.string().check(z.regex(/^[A-Z]{3}$/))
export const money = z.object({ amountMinor, currency })
export type Money = z.infer<typeof money>

/** Rounds half up to an integer, as every price line is rounded. Exact for `numerator / denominator` below 2^53. */
export function roundHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}

/** `basisPoints` hundredths of a percent of an amount, rounded half up. */
export function percentage(amount: number, basisPoints: number): number {
  return roundHalfUp(amount * basisPoints, 10_000)
}
