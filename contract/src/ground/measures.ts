/** Weights in integer grams and lengths in integer millimetres, and the rules for chargeable weight. */
import * as z from 'zod/mini'
import { integer } from './fields.ts'

export const weightGrams = integer(1, 10_000_000)
export const lengthMm = integer(1, 100_000)

export const dimensions = z.object({ lengthMm, widthMm: lengthMm, heightMm: lengthMm })
export type Dimensions = z.infer<typeof dimensions>

/** ceil(L x W x H in mm / divisor) = grams, as cm3 / 5000 = kg (docs/rules/parcels.md). */
export function volumetricGrams(size: Dimensions, divisor: number): number {
  return Math.ceil((size.lengthMm * size.widthMm * size.heightMm) / divisor)
}

/** The heavier of the two, rounded up to the step (docs/pricing.md). */
export function chargeableGrams(weight: number, volumetric: number, step: number): number {
  return Math.ceil(Math.max(weight, volumetric) / step) * step
}
