/** Hints that save money on a parcel. */

import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import { type Dimensions, volumetricGrams } from '@waybill/contract/ground/measures'
import type { PriceHint } from '@waybill/contract/pricing/pricing'
import { type PriceInput, priceParcel } from './rules.ts'

/**
 * Hints such as "2 cm less would save RM 3.00". Each is computed with the price formula itself, so the saving is
 * exact.
 */

/** Another way of handing over or receiving the parcel. */
export type OtherMode = { deliveryMode: DeliveryMode; remoteSurchargeMinor: number; pickupFeeMinor: number }

export type HintInput = {
  price: PriceInput
  totalMinor: number
  chargeableGrams: number
  /** The fee of a pickup with the chosen mode, tax included. */
  pickupFeeMinor: number
  /** Below this weight another rate would apply. */
  leastGrams: number
  otherModes: readonly OtherMode[]
}

/** Sides shrink in whole centimetres, ten at most and never more than a quarter, so that a hint stays realistic. */
const trimMm = 10
const maxTrims = 10
/** Removing more would make it a different parcel. */
const maxLessGrams = 500

const sides = ['lengthMm', 'widthMm', 'heightMm'] as const

const getRounding = ({ roundingGrams, rate }: PriceInput) => roundingGrams ?? rate.stepWeightGrams
const roundUp = (grams: number, to: number) => Math.ceil(grams / to) * to

/** Whether the price can fall at all: up to the first weight it cannot. */
const canFall = ({ price, chargeableGrams }: HintInput) => chargeableGrams > price.rate.firstWeightGrams

function smaller(input: HintInput): PriceHint | null {
  const { price, leastGrams } = input
  const size = price.dimensions
  if (!size || !canFall(input)) return null
  const sizeHints = sides.flatMap((side) => {
    const hint = trimSide(input, size, side, leastGrams)
    return hint ? [hint] : []
  })
  return sizeHints.sort((a, b) => a.lessMm - b.lessMm || b.savesMinor - a.savesMinor)[0] ?? null
}

/** The smallest reduction of one side that lowers the price. */
function trimSide(
  { price, totalMinor, chargeableGrams }: HintInput,
  size: Dimensions,
  side: (typeof sides)[number],
  leastGrams: number,
): Extract<PriceHint, { kind: 'smaller' }> | null {
  const most = Math.min(maxTrims * trimMm, Math.floor(size[side] / 4))
  const rounding = getRounding(price)
  for (let lessMm = trimMm; lessMm <= most; lessMm += trimMm) {
    const dimensions = { ...size, [side]: size[side] - lessMm }
    const heavier = Math.max(price.weightGrams, volumetricGrams(dimensions, price.surcharges.divisor))
    if (heavier < leastGrams) return null
    if (roundUp(heavier, rounding) === chargeableGrams) continue
    const savesMinor = totalMinor - priceParcel({ ...price, dimensions }).totalMinor
    if (savesMinor > 0) return { kind: 'smaller', side, lessMm, savesMinor }
  }
  return null
}

/** The smallest reduction of the weight that lowers the price. */
function lighter(input: HintInput): PriceHint | null {
  const { price, totalMinor, chargeableGrams, leastGrams } = input
  if (!canFall(input)) return null
  const rounding = getRounding(price)
  const volumetric = price.dimensions ? volumetricGrams(price.dimensions, price.surcharges.divisor) : 0
  for (let weightGrams = chargeableGrams - rounding; weightGrams > 0; weightGrams -= rounding) {
    const lessGrams = price.weightGrams - weightGrams
    if (lessGrams > maxLessGrams || lessGrams < 1 || weightGrams < volumetric || weightGrams < leastGrams) return null
    const savesMinor = totalMinor - priceParcel({ ...price, weightGrams }).totalMinor
    if (savesMinor > 0) return { kind: 'lighter', lessGrams, savesMinor }
  }
  return null
}

/** The possible savings, largest first. */
export function listPriceHints(input: HintInput): PriceHint[] {
  const { price, totalMinor, pickupFeeMinor } = input
  const modes = input.otherModes.map((other): PriceHint => {
    const { remoteSurchargeMinor } = other
    const without =
      remoteSurchargeMinor === price.remoteSurchargeMinor
        ? totalMinor
        : priceParcel({ ...price, remoteSurchargeMinor }).totalMinor
    const savesMinor = totalMinor + pickupFeeMinor - without - other.pickupFeeMinor
    return { kind: 'delivery_mode', deliveryMode: other.deliveryMode, savesMinor }
  })
  return [smaller(input), lighter(input), ...modes]
    .filter((hint) => hint !== null)
    .filter(({ savesMinor }) => savesMinor > 0)
    .sort((a, b) => b.savesMinor - a.savesMinor)
}
