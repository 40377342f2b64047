/** Prices after a re-weighing. */
import type { Carrier } from '@waybill/contract/ground/enums/enums'
import type { Scope, ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import type { Dimensions } from '@waybill/contract/ground/measures'
import { percentage } from '@waybill/contract/ground/money'
import type { PriceBreakdown, PriceLine } from '@waybill/contract/pricing/pricing'
import type { Deps } from '../../deps.ts'
import { getRates, ratesBetween } from './rate-cards/rates.ts'
import { discountOff, freight, measure, type Rate, replayBreakdown } from './rules.ts'

/** A reading of the scale. Without dimensions (documents) only the weight counts. */
export type ScaleReading = { weightGrams: number; dimensions: Dimensions | null }

const findLine = (price: PriceBreakdown, kind: PriceLine['kind']) => price.lines.find((line) => line.kind === kind)
const readNumber = (line: PriceLine | undefined, name: string) => Number(line?.basis[name] ?? 0)

/** The rate of a stored price, from its freight line. */
export function storedRate(price: PriceBreakdown): Rate {
  const line = findLine(price, 'freight')
  return {
    firstWeightGrams: readNumber(line, 'firstWeightGrams'),
    firstPriceMinor: readNumber(line, 'firstPriceMinor'),
    stepWeightGrams: readNumber(line, 'stepWeightGrams') || 1,
    stepPriceMinor: readNumber(line, 'stepPriceMinor'),
  }
}

/** The rate for a weight in the same version of the card: a heavier parcel may fall into another band. */
async function rateFor(
  deps: Deps,
  price: PriceBreakdown,
  service: { scope: Scope; serviceType: ServiceType; carrier: Carrier },
  heavierGrams: number,
): Promise<Rate> {
  const { cards } = await getRates(deps)
  const { code, version } = price.rateCard
  const card = cards.find((each) => each.code === code && each.version === version)
  const lines = card ? ratesBetween(card, service.scope, price.originZone, price.destinationZone) : []
  const fitting = lines.filter(
    ({ serviceType, carrier }) => serviceType === service.serviceType && carrier === service.carrier,
  )
  const band = fitting.find((line) => line.minWeightGrams <= heavierGrams && heavierGrams <= line.maxWeightGrams)
  // Heavier than any band, or the card was deleted: the agreed rate continues in its steps.
  return band ? plain(band) : storedRate(price)
}

/**
 * The price with another weight and size: by the same version of the rate card, with the agreed percentages, discount
 * and charges.
 */
export async function repriceWithWeight(
  deps: Deps,
  price: PriceBreakdown,
  service: { scope: Scope; serviceType: ServiceType; carrier: Carrier },
  { weightGrams, dimensions }: ScaleReading,
): Promise<PriceBreakdown> {
  const actual = measure(weightGrams, dimensions, price.divisor, 1)
  const rate = await rateFor(deps, price, service, actual.chargeableGrams)
  const inputs = price.inputs && { ...price.inputs, dimensions }
  return (
    replayBreakdown({ ...price, weightGrams, inputs }, rate) ?? repriceByLines(price, rate, { weightGrams, dimensions })
  )
}

/**
 * The same for an old price without inputs: its lines have the percentages. A percentage whose line was zero is not
 * known. Insurance, cash on delivery and remote areas do not depend on weight, so their lines stay.
 */
function repriceByLines(price: PriceBreakdown, rate: Rate, { weightGrams, dimensions }: ScaleReading): PriceBreakdown {
  const size = measure(weightGrams, dimensions, price.divisor, rate.stepWeightGrams)
  const { amountMinor: freightMinor, steps } = freight(rate, size.chargeableGrams)
  const before = findLine(price, 'freight')?.amountMinor ?? 0

  const discountLine = findLine(price, 'discount')
  const type = discountLine?.basis.type
  const discount =
    type === 'fixed' || type === 'percentage' ? ({ type, value: readNumber(discountLine, 'value') } as const) : null
  const offMinor = discount ? discountOff(freightMinor, discount) : 0
  const fuelMinor = percentage(freightMinor, readNumber(findLine(price, 'fuel'), 'basisPoints'))
  const remoteMinor = findLine(price, 'remote_area')?.amountMinor ?? 0
  const charge = findLine(price, 'service_charge')
  const chargeMinor =
    charge?.basis.type === 'percentage'
      ? percentage(freightMinor - offMinor + remoteMinor + fuelMinor, readNumber(charge, 'value'))
      : (charge?.amountMinor ?? 0)

  const amounts: Partial<Record<PriceLine['kind'], number>> = {
    freight: freightMinor,
    fuel: fuelMinor,
    discount: offMinor === 0 ? 0 : -offMinor,
    service_charge: chargeMinor,
  }
  const lines = price.lines
    .filter(({ kind }) => kind !== 'tax')
    .map((line) => ({
      ...line,
      amountMinor: amounts[line.kind] ?? line.amountMinor,
      basis: line.kind === 'freight' ? { ...line.basis, ...rate, steps } : line.basis,
    }))
  const taxLine = findLine(price, 'tax')
  if (taxLine) {
    // Tax is rounded line by line, so only changed lines change it.
    const basisPoints = readNumber(taxLine, 'basisPoints')
    const taxOn = (amount: number) => percentage(amount, basisPoints)
    const storedAmount = (kind: PriceLine['kind']) => findLine(price, kind)?.amountMinor ?? 0
    const taxMinor =
      taxLine.amountMinor +
      (taxOn(freightMinor - offMinor) - taxOn(before + storedAmount('discount'))) +
      (taxOn(fuelMinor) - taxOn(storedAmount('fuel'))) +
      (taxOn(chargeMinor) - taxOn(storedAmount('service_charge')))
    lines.push({ ...taxLine, amountMinor: taxMinor })
  }
  return {
    ...price,
    ...size,
    lines,
    totalMinor: lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  }
}

const plain = ({ firstWeightGrams, firstPriceMinor, stepWeightGrams, stepPriceMinor }: Rate) => ({
  firstWeightGrams,
  firstPriceMinor,
  stepWeightGrams,
  stepPriceMinor,
})

/** The lines of the difference between two prices, by kind, without unchanged ones. */
export function differenceLines(before: PriceBreakdown, after: PriceBreakdown): PriceLine[] {
  const kinds = [...new Set([...after.lines, ...before.lines].map(({ kind }) => kind))]
  const sum = (lines: readonly PriceLine[], kind: PriceLine['kind']) =>
    lines.reduce((total, line) => (line.kind === kind ? total + line.amountMinor : total), 0)
  return kinds
    .map((kind) => ({ kind, amountMinor: sum(after.lines, kind) - sum(before.lines, kind), basis: {} }))
    .filter(({ amountMinor }) => amountMinor !== 0)
}
