/** The price formula (docs/pricing.md). */
import { chargeableGrams, type Dimensions, volumetricGrams } from '@waybill/contract/ground/measures'
import { percentage } from '@waybill/contract/ground/money'
import {
  type PriceBreakdown,
  type PriceLine,
  type PriceLineKind,
  priceLineKinds,
} from '@waybill/contract/pricing/pricing'

/**
 * Computes prices (docs/pricing.md, whose examples a test reads). Everything is an integer: grams, minor units, basis
 * points. Each line is rounded once, half up.
 */

/** The rate of a service between two zones. */
export type Rate = {
  firstWeightGrams: number
  firstPriceMinor: number
  stepWeightGrams: number
  stepPriceMinor: number
}

/** A discount on the freight: minor units or basis points. */
export type Discount = { type: 'fixed' | 'percentage'; value: number }

/** Charges of the deployment's settings. */
export type Surcharges = {
  divisor: number
  fuelBasisPoints: number
  serviceCharge: { type: 'fixed' | 'percentage'; value: number }
  insuranceTiers: readonly { upToMinor: number; premiumMinor: number }[]
  codBasisPoints: number
  codMinimumMinor: number
  taxBasisPoints: number
}

export type ChargeableWeights = { weightGrams: number; volumetricGrams: number; chargeableGrams: number }

export type PriceInput = {
  currency: string
  rateCard: { code: string; version: number }
  originZone: string
  destinationZone: string
  rate: Rate
  /** Grams to which the carrier rounds weights up; if empty, the step of the rate. */
  roundingGrams?: number | null
  weightGrams: number
  dimensions: Dimensions | null
  remoteSurchargeMinor: number
  discount: Discount | null
  insuredValueMinor: number | null
  codAmountMinor: number | null
  surcharges: Surcharges
}

/** Actual, volumetric and chargeable weight in grams. Without dimensions (documents) only the actual weight counts. */
export function measure(
  weightGrams: number,
  size: Dimensions | null,
  divisor: number,
  roundingGrams: number,
): ChargeableWeights {
  const volumetric = size ? volumetricGrams(size, divisor) : 0
  return {
    weightGrams,
    volumetricGrams: volumetric,
    chargeableGrams: chargeableGrams(weightGrams, volumetric, roundingGrams),
  }
}

/** The price of the first weight, and of each started step above it. */
export function freight(rate: Rate, chargeable: number): { amountMinor: number; steps: number } {
  const steps = Math.max(0, Math.ceil((chargeable - rate.firstWeightGrams) / rate.stepWeightGrams))
  return { amountMinor: rate.firstPriceMinor + steps * rate.stepPriceMinor, steps }
}

/** The discount on this freight, at most the freight itself. */
export function discountOff(freightMinor: number, discount: Discount | null): number {
  if (!discount) return 0
  const off = discount.type === 'fixed' ? discount.value : percentage(freightMinor, discount.value)
  return Math.min(freightMinor, Math.max(0, off))
}

/** The premium of the first tier that covers the value; null above the last tier, which is not insured. */
export function insurancePremium(insuredValueMinor: number, tiers: Surcharges['insuranceTiers']): number | null {
  return insuranceTier(insuredValueMinor, tiers)?.premiumMinor ?? null
}

/** The kinds of lines with service tax. Insurance is exempt, and the discount reduces the tax of the freight. */
const taxable: readonly PriceLineKind[] = [
  'freight',
  'remote_area',
  'fuel',
  'pickup',
  'recall',
  'return',
  'delivery_choice',
  'cod_payout',
  'service_charge',
  'cod',
]

/** The tax of each taxable line, rounded half up, and their sum. */
function computeTax(lines: readonly PriceLine[], discountMinor: number, basisPoints: number): number {
  return lines
    .filter((line) => taxable.includes(line.kind))
    .map((line) => (line.kind === 'freight' ? line.amountMinor - discountMinor : line.amountMinor))
    .reduce((sum, amount) => sum + percentage(amount, basisPoints), 0)
}

function line(kind: PriceLineKind, amountMinor: number, basis: PriceLine['basis'] = {}): PriceLine {
  return { kind, amountMinor, basis }
}

function codFee(amountMinor: number, { codBasisPoints, codMinimumMinor }: Surcharges): number {
  return Math.max(codMinimumMinor, percentage(amountMinor, codBasisPoints))
}

/**
 * The price of a parcel by line; zero lines are dropped, except the freight. The pickup is not included, because the
 * order pays it once for all parcels (`pickupLines`). A value above the last tier is not insured here; the caller
 * refuses it first.
 */
export function priceParcel(input: PriceInput): PriceBreakdown {
  const { rate, surcharges } = input
  const rounding = input.roundingGrams ?? rate.stepWeightGrams
  const size = measure(input.weightGrams, input.dimensions, surcharges.divisor, rounding)
  const { amountMinor: freightMinor, steps } = freight(rate, size.chargeableGrams)
  const off = discountOff(freightMinor, input.discount)
  const fuel = percentage(freightMinor, surcharges.fuelBasisPoints)
  const carriage = freightMinor - off + input.remoteSurchargeMinor + fuel
  const charge = surcharges.serviceCharge
  const service = charge.type === 'fixed' ? charge.value : percentage(carriage, charge.value)
  const insured = input.insuredValueMinor ?? 0
  const premium = insured > 0 ? (insurancePremium(insured, surcharges.insuranceTiers) ?? 0) : 0
  const cod = input.codAmountMinor ?? 0

  const lines = [
    line('freight', freightMinor, { ...rate, steps }),
    line('remote_area', input.remoteSurchargeMinor),
    line('fuel', fuel, { basisPoints: surcharges.fuelBasisPoints }),
    line('discount', off === 0 ? 0 : -off, input.discount ? { ...input.discount } : {}),
    line('service_charge', service, { ...charge }),
    line('insurance', premium, { insuredValueMinor: insured }),
    line('cod', cod > 0 ? codFee(cod, surcharges) : 0, { basisPoints: surcharges.codBasisPoints }),
  ].filter(({ kind, amountMinor }) => kind === 'freight' || amountMinor !== 0)
  const tax = computeTax(lines, off, surcharges.taxBasisPoints)
  if (tax !== 0) lines.push(line('tax', tax, { basisPoints: surcharges.taxBasisPoints }))
  return {
    currency: input.currency,
    ...size,
    divisor: surcharges.divisor,
    rateCard: input.rateCard,
    originZone: input.originZone,
    destinationZone: input.destinationZone,
    lines,
    totalMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  }
}

/** The tier of an insured value, as a price stores it. */
export function insuranceTier(
  insuredValueMinor: number | null,
  tiers: Surcharges['insuranceTiers'],
): { upToMinor: number; premiumMinor: number } | null {
  if (!insuredValueMinor) return null
  const sorted = [...tiers].sort((a, b) => a.upToMinor - b.upToMinor)
  return sorted.find((tier) => insuredValueMinor <= tier.upToMinor) ?? null
}

/** Recomputes a stored price from its inputs and the rate of its card's version; null if it has no inputs. */
export function replayBreakdown(breakdown: PriceBreakdown, rate: Rate): PriceBreakdown | null {
  const { inputs } = breakdown
  if (!inputs) return null
  const {
    fuelBasisPoints,
    serviceCharge,
    insuranceTier: tier,
    codBasisPoints,
    codMinimumMinor,
    taxBasisPoints,
  } = inputs
  const price = priceParcel({
    currency: breakdown.currency,
    rateCard: breakdown.rateCard,
    originZone: breakdown.originZone,
    destinationZone: breakdown.destinationZone,
    rate,
    roundingGrams: inputs.roundingGrams,
    weightGrams: breakdown.weightGrams,
    dimensions: inputs.dimensions,
    remoteSurchargeMinor: inputs.remoteSurchargeMinor,
    discount: inputs.discount,
    insuredValueMinor: inputs.insuredValueMinor,
    codAmountMinor: inputs.codAmountMinor,
    surcharges: {
      divisor: breakdown.divisor,
      fuelBasisPoints,
      serviceCharge,
      insuranceTiers: tier ? [tier] : [],
      codBasisPoints,
      codMinimumMinor,
      taxBasisPoints,
    },
  })
  const pickup = breakdown.lines.find(({ kind }) => kind === 'pickup')
  const share = { feeMinor: pickup?.amountMinor ?? 0, taxMinor: Number(pickup?.basis.taxMinor ?? 0) }
  const { zoneNames } = breakdown
  return addPickupShare({ ...price, ...(zoneNames && { zoneNames }), inputs }, share)
}

/** The lines of one pickup: the fee and its tax. Empty if pickups are free. */
export function pickupLines(feeMinor: number, taxBasisPoints: number): PriceLine[] {
  if (feeMinor === 0) return []
  const fee = line('pickup', feeMinor)
  const tax = computeTax([fee], 0, taxBasisPoints)
  return tax === 0 ? [fee] : [fee, line('tax', tax, { basisPoints: taxBasisPoints })]
}

/** A parcel's share of a pickup: of its fee and its tax. */
export type PickupShare = { feeMinor: number; taxMinor: number }

/**
 * The share of the parcel with this index (from 0) of all parcels of a pickup. Shares differ by at most one minor unit,
 * and their sums equal fee and tax.
 */
export function pickupShare(pickup: readonly PriceLine[], index: number, count: number): PickupShare {
  const sum = (lines: readonly PriceLine[]) => lines.reduce((total, { amountMinor }) => total + amountMinor, 0)
  const computeShare = (amountMinor: number) => Math.max(0, Math.ceil((amountMinor - index) / count))
  const feeMinor = computeShare(sum(pickup.filter(({ kind }) => kind === 'pickup')))
  return { feeMinor, taxMinor: computeShare(sum(pickup)) - feeMinor }
}

/**
 * A price with its share of the pickup: a separate line, and its tax in the tax line. This is what is paid for a
 * parcel.
 */
export function addPickupShare(price: PriceBreakdown, { feeMinor, taxMinor }: PickupShare): PriceBreakdown {
  if (feeMinor === 0 && taxMinor === 0) return price
  const tax = price.lines.find(({ kind }) => kind === 'tax') ?? line('tax', 0)
  const others = price.lines.filter(({ kind }) => kind !== 'tax' && kind !== 'pickup')
  const lines = [
    ...others,
    line('pickup', feeMinor, { taxMinor }),
    { ...tax, amountMinor: tax.amountMinor + taxMinor },
  ].filter(({ kind, amountMinor }) => kind === 'freight' || amountMinor !== 0)
  lines.sort((a, b) => priceLineKinds.indexOf(a.kind) - priceLineKinds.indexOf(b.kind))
  return { ...price, lines, totalMinor: price.totalMinor + feeMinor + taxMinor }
}

/** The lines of a fee for a later action on a parcel: the fee and its tax. Empty if it is free. */
export function feeLines(fee: PriceLine, taxBasisPoints: number): PriceLine[] {
  if (fee.amountMinor === 0) return []
  const tax = computeTax([fee], 0, taxBasisPoints)
  return tax === 0 ? [fee] : [fee, line('tax', tax, { basisPoints: taxBasisPoints })]
}

/**
 * Divides an amount into shares: the remainder is distributed one unit each to the first ones. Equal shares are one
 * entry.
 */
export function equalShares(amountMinor: number, count: number): { amountMinor: number; count: number }[] {
  const least = Math.floor(amountMinor / count)
  const more = amountMinor - least * count
  return [
    { amountMinor: least + 1, count: more },
    { amountMinor: least, count: count - more },
  ].filter((share) => share.count > 0)
}
