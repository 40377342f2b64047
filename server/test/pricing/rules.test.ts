import { readFileSync } from 'node:fs'
import { priceLineKinds } from '@waybill/contract/pricing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  discountOff,
  equalShares,
  freight,
  insurancePremium,
  type PriceInput,
  pickupLines,
  priceOf,
  type Surcharges,
} from '../../src/domains/pricing/rules.ts'
import { settingDefinitions } from '../../src/domains/settings/rules.ts'

/** What a new deployment charges: the documented examples are worked out with it. */
const defaults: Surcharges = {
  divisor: settingDefinitions['weight.divisor'].default,
  fuelBasisPoints: settingDefinitions['price.fuelBasisPoints'].default,
  serviceCharge: settingDefinitions['price.serviceCharge'].default as Surcharges['serviceCharge'],
  insuranceTiers: settingDefinitions['price.insuranceTiers'].default,
  codBasisPoints: settingDefinitions['price.codBasisPoints'].default,
  codMinimumMinor: settingDefinitions['price.codMinimumMinor'].default,
  taxBasisPoints: settingDefinitions['price.taxBasisPoints'].default,
}

const base: PriceInput = {
  currency: 'MYR',
  rateCard: { code: 'STANDARD', version: 1 },
  originZone: 'KV',
  destinationZone: 'KV',
  rate: { firstWeightGrams: 1000, firstPriceMinor: 650, stepWeightGrams: 500, stepPriceMinor: 100 },
  weightGrams: 1000,
  dimensions: null,
  remoteSurchargeMinor: 0,
  discount: null,
  insuredValueMinor: null,
  codAmountMinor: null,
  surcharges: defaults,
}

type Example = Partial<PriceInput> & {
  expect: { volumetricGrams: number; chargeableGrams: number; lines: Record<string, number>; totalMinor: number }
}

const page = readFileSync(new URL('../../../docs/pricing.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/\n([^\n]+)\n\n```json\n([\s\S]*?)```/g)].map(
  ([, title = '', json = '']) => [title, JSON.parse(json) as Example] as const,
)

describe('docs/pricing.md', () => {
  it('has its worked examples', () => expect(examples.length).toBeGreaterThanOrEqual(6))

  it.each(examples)('%s', (_title, { expect: expected, ...input }) => {
    const price = priceOf({ ...base, ...input })
    expect({
      volumetricGrams: price.volumetricGrams,
      chargeableGrams: price.chargeableGrams,
      lines: Object.fromEntries(price.lines.map((line) => [line.kind, line.amountMinor])),
      totalMinor: price.totalMinor,
    }).toEqual(expected)
  })
})

const amount = fc.integer({ min: 0, max: 100_000 })
const input: fc.Arbitrary<PriceInput> = fc.record({
  currency: fc.constant('MYR'),
  rateCard: fc.constant(base.rateCard),
  originZone: fc.constant('A'),
  destinationZone: fc.constant('B'),
  rate: fc.record({
    firstWeightGrams: fc.integer({ min: 1, max: 5000 }),
    firstPriceMinor: amount,
    stepWeightGrams: fc.integer({ min: 1, max: 2000 }),
    stepPriceMinor: amount,
  }),
  weightGrams: fc.integer({ min: 1, max: 70_000 }),
  dimensions: fc.option(
    fc.record({
      lengthMm: fc.integer({ min: 1, max: 1500 }),
      widthMm: fc.integer({ min: 1, max: 1500 }),
      heightMm: fc.integer({ min: 1, max: 1500 }),
    }),
  ),
  remoteSurchargeMinor: amount,
  discount: fc.option(
    fc.oneof(
      fc.record({ type: fc.constant('fixed' as const), value: amount }),
      fc.record({ type: fc.constant('percentage' as const), value: fc.integer({ min: 0, max: 10_000 }) }),
    ),
  ),
  insuredValueMinor: fc.option(fc.integer({ min: 0, max: 300_000 })),
  codAmountMinor: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
  surcharges: fc.record({
    divisor: fc.constantFrom(4000, 5000, 6000),
    fuelBasisPoints: fc.integer({ min: 0, max: 5000 }),
    serviceCharge: fc.oneof(
      fc.record({ type: fc.constant('fixed' as const), value: fc.integer({ min: 0, max: 1000 }) }),
      fc.record({ type: fc.constant('percentage' as const), value: fc.integer({ min: 0, max: 2000 }) }),
    ),
    insuranceTiers: fc.constant(defaults.insuranceTiers),
    codBasisPoints: fc.integer({ min: 0, max: 1000 }),
    codMinimumMinor: fc.integer({ min: 0, max: 1000 }),
    taxBasisPoints: fc.integer({ min: 0, max: 2500 }),
  }),
})

const lineOf = (price: ReturnType<typeof priceOf>, kind: string) =>
  price.lines.find((line) => line.kind === kind)?.amountMinor ?? 0

describe('a price', () => {
  it('is the sum of its lines, whole minor units, each kind once and in the order of the formula', () => {
    fc.assert(
      fc.property(input, (given) => {
        const price = priceOf(given)
        expect(price.totalMinor).toBe(price.lines.reduce((sum, line) => sum + line.amountMinor, 0))
        for (const line of price.lines) expect(Number.isSafeInteger(line.amountMinor)).toBe(true)
        const kinds = price.lines.map((line) => line.kind)
        expect(kinds).toEqual(priceLineKinds.filter((kind) => kinds.includes(kind)))
      }),
    )
  })

  it('never falls as the parcel gets heavier', () => {
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 5000 }), (given, more) => {
        const heavier = priceOf({ ...given, weightGrams: given.weightGrams + more })
        expect(heavier.totalMinor).toBeGreaterThanOrEqual(priceOf(given).totalMinor)
      }),
    )
  })

  it('is never below zero, and a discount never takes more than the freight', () => {
    fc.assert(
      fc.property(input, (given) => {
        const price = priceOf(given)
        expect(price.totalMinor).toBeGreaterThanOrEqual(0)
        expect(-lineOf(price, 'discount')).toBeLessThanOrEqual(lineOf(price, 'freight'))
        expect(lineOf(price, 'discount')).toBeLessThanOrEqual(0)
      }),
    )
  })

  it('pays for every step begun', () => {
    expect(freight(base.rate, 1000)).toEqual({ amountMinor: 650, steps: 0 })
    expect(freight(base.rate, 1001)).toEqual({ amountMinor: 750, steps: 1 })
    expect(freight(base.rate, 1500)).toEqual({ amountMinor: 750, steps: 1 })
    expect(freight(base.rate, 1)).toEqual({ amountMinor: 650, steps: 0 })
  })
})

describe('insurance', () => {
  it('takes the first tier that reaches the value, whatever their order, and none above the last', () => {
    const tiers = [...defaults.insuranceTiers].reverse()
    expect(insurancePremium(1, tiers)).toBe(100)
    expect(insurancePremium(20_000, tiers)).toBe(100)
    expect(insurancePremium(20_001, tiers)).toBe(250)
    expect(insurancePremium(300_001, tiers)).toBeNull()
  })
})

describe('a pickup', () => {
  it('has one fee and its tax', () => {
    expect(pickupLines(200, 600).map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['pickup', 200],
      ['tax', 12],
    ])
    expect(pickupLines(0, 600)).toEqual([])
  })

  it('is shared to the last minor unit, no two shares more than one apart', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 10_000 }), (fee, parcels) => {
        const shares = equalShares(fee, parcels)
        expect(shares.reduce((sum, share) => sum + share.amountMinor * share.count, 0)).toBe(fee)
        expect(shares.reduce((sum, { count }) => sum + count, 0)).toBe(parcels)
        const amounts = shares.map(({ amountMinor }) => amountMinor)
        expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('a discount', () => {
  it('is nothing where there is none', () => expect(discountOff(500, null)).toBe(0))
})
