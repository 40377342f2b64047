import * as z from 'zod/mini'

/** Weights are stored in integer grams and lengths in integer millimetres; only what people read is converted. */
export const weightGrams = z.number().check(z.int(), z.minimum(1), z.maximum(10_000_000))
export const lengthMm = z.number().check(z.int(), z.minimum(1), z.maximum(100_000))

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
