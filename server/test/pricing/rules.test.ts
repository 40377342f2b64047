import { readFileSync } from 'node:fs'
import { type PriceHint, priceLineKinds } from '@waybill/contract/pricing/pricing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listPriceHints, type OtherMode } from '../../src/domains/pricing/hints.ts'
import {
  discountOff,
  equalShares,
  freight,
  insurancePremium,
  insuranceTier,
  type PriceInput,
  pickupLines,
  priceParcel,
  replayBreakdown,
  type Surcharges,
} from '../../src/domains/pricing/rules.ts'
import { settingDefaults } from '../../src/domains/settings/rules.ts'

/** The rates of a new deployment, on which the documented examples are based. */
const defaults: Surcharges = {
  divisor: settingDefaults['weight.divisor'],
  fuelBasisPoints: settingDefaults['price.fuelBasisPoints'],
  serviceCharge: settingDefaults['price.serviceCharge'] as Surcharges['serviceCharge'],
  insuranceTiers: settingDefaults['price.insuranceTiers'],
  codBasisPoints: settingDefaults['price.codBasisPoints'],
  codMinimumMinor: settingDefaults['price.codMinimumMinor'],
  taxBasisPoints: settingDefaults['price.taxBasisPoints'],
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
  /** The rules that are specific to a carrier. */
  carrier?: Partial<Surcharges> & { roundingGrams?: number }
  pickupFeeMinor?: number
  otherModes?: OtherMode[]
  expect: {
    volumetricGrams: number
    chargeableGrams: number
    lines: Record<string, number>
    totalMinor: number
    hints?: PriceHint[]
  }
}

const page = readFileSync(new URL('../../../docs/pricing.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/\n([^\n]+)\n\n```json\n([\s\S]*?)```/g)].map(
  ([, title = '', json = '']) => [title, JSON.parse(json) as Example] as const,
)

describe('docs/pricing.md', () => {
  it('has correct worked examples', () => expect(examples.length).toBeGreaterThanOrEqual(12))

  it.each(examples)('%s', (_title, { expect: expected, carrier, pickupFeeMinor = 0, otherModes = [], ...example }) => {
    const { roundingGrams = null, ...surcharges } = carrier ?? {}
    const input = { ...base, ...example, roundingGrams, surcharges: { ...defaults, ...surcharges } }
    const price = priceParcel(input)
    const { totalMinor, chargeableGrams } = price
    const hints = listPriceHints({
      price: input,
      totalMinor,
      chargeableGrams,
      pickupFeeMinor,
      leastGrams: 1,
      otherModes,
    })
    expect({
      ...(expected.hints ? { hints } : {}),
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

const findLine = (price: ReturnType<typeof priceParcel>, kind: string) =>
  price.lines.find((line) => line.kind === kind)?.amountMinor ?? 0

describe('a price', () => {
  it('is the sum of its lines in whole minor units, with each kind once and in the order of the formula', () => {
    fc.assert(
      fc.property(input, (priceInput) => {
        const price = priceParcel(priceInput)
        expect(price.totalMinor).toBe(price.lines.reduce((sum, line) => sum + line.amountMinor, 0))
        for (const line of price.lines) expect(Number.isSafeInteger(line.amountMinor)).toBe(true)
        const kinds = price.lines.map((line) => line.kind)
        expect(kinds).toEqual(priceLineKinds.filter((kind) => kinds.includes(kind)))
      }),
    )
  })

  it('never decreases as the parcel gets heavier', () => {
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 5000 }), (priceInput, more) => {
        const heavier = priceParcel({ ...priceInput, weightGrams: priceInput.weightGrams + more })
        expect(heavier.totalMinor).toBeGreaterThanOrEqual(priceParcel(priceInput).totalMinor)
      }),
    )
  })

  it('is never below zero, and a discount never exceeds the freight', () => {
    fc.assert(
      fc.property(input, (priceInput) => {
        const price = priceParcel(priceInput)
        expect(price.totalMinor).toBeGreaterThanOrEqual(0)
        expect(-findLine(price, 'discount')).toBeLessThanOrEqual(findLine(price, 'freight'))
        expect(findLine(price, 'discount')).toBeLessThanOrEqual(0)
      }),
    )
  })

  it('charges for every started step', () => {
    expect(freight(base.rate, 1000)).toEqual({ amountMinor: 650, steps: 0 })
    expect(freight(base.rate, 1001)).toEqual({ amountMinor: 750, steps: 1 })
    expect(freight(base.rate, 1500)).toEqual({ amountMinor: 750, steps: 1 })
    expect(freight(base.rate, 1)).toEqual({ amountMinor: 650, steps: 0 })
  })
})

describe('insurance', () => {
  it('uses the first tier that covers the value, in any order of the tiers, and none above the last', () => {
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

  it('is shared to the last minor unit, with shares at most one unit apart', () => {
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

describe('hints for saving', () => {
  const modes = fc.array(
    fc.record({
      deliveryMode: fc.constantFrom('P2D' as const, 'D2P' as const),
      remoteSurchargeMinor: amount,
      pickupFeeMinor: fc.constantFrom(0, 212),
    }),
    { maxLength: 2 },
  )
  const rounded = fc.tuple(input, fc.option(fc.integer({ min: 1, max: 3000 }))).map(([priceInput, roundingGrams]) => ({
    ...priceInput,
    roundingGrams,
  }))

  /** The price for a sender who follows the hint. */
  function followed(price: PriceInput, hint: PriceHint, otherModes: readonly OtherMode[]): number[] {
    if (hint.kind === 'lighter') {
      return [priceParcel({ ...price, weightGrams: price.weightGrams - hint.lessGrams }).totalMinor]
    }
    if (hint.kind === 'smaller') {
      const size = price.dimensions
      if (!size) return []
      return [priceParcel({ ...price, dimensions: { ...size, [hint.side]: size[hint.side] - hint.lessMm } }).totalMinor]
    }
    return otherModes
      .filter(({ deliveryMode }) => deliveryMode === hint.deliveryMode)
      .map(
        ({ remoteSurchargeMinor, pickupFeeMinor }) =>
          priceParcel({ ...price, remoteSurchargeMinor }).totalMinor + pickupFeeMinor,
      )
  }

  it('save exactly what they state, and are sorted by savings, highest first', () => {
    fc.assert(
      fc.property(rounded, modes, fc.constantFrom(0, 212), (price, otherModes, pickupFeeMinor) => {
        const { totalMinor, chargeableGrams } = priceParcel(price)
        const hints = listPriceHints({ price, totalMinor, chargeableGrams, pickupFeeMinor, leastGrams: 1, otherModes })
        for (const hint of hints) {
          expect(hint.savesMinor).toBeGreaterThan(0)
          const before = totalMinor + (hint.kind === 'delivery_mode' ? pickupFeeMinor : 0)
          expect(followed(price, hint, otherModes)).toContain(before - hint.savesMinor)
        }
        const savings = hints.map(({ savesMinor }) => savesMinor)
        expect(savings).toEqual([...savings].sort((a, b) => b - a))
      }),
      { numRuns: 500 },
    )
  })

  it('suggest the smallest change that saves anything', () => {
    fc.assert(
      fc.property(rounded, (price) => {
        const { totalMinor, chargeableGrams } = priceParcel(price)
        const shared = { price, totalMinor, chargeableGrams, pickupFeeMinor: 0, leastGrams: 1, otherModes: [] }
        for (const hint of listPriceHints(shared)) {
          if (hint.kind === 'lighter') {
            const almost = { ...price, weightGrams: price.weightGrams - hint.lessGrams + 1 }
            expect(priceParcel(almost).totalMinor).toBe(totalMinor)
          }
          if (hint.kind === 'smaller' && price.dimensions) {
            for (const side of ['lengthMm', 'widthMm', 'heightMm'] as const) {
              const almost = price.dimensions[side] - hint.lessMm + 10
              const dimensions = { ...price.dimensions, [side]: Math.max(almost, 1) }
              if (hint.lessMm === 10 || hint.lessMm - 10 > price.dimensions[side] / 4) continue
              expect(priceParcel({ ...price, dimensions }).totalMinor).toBe(totalMinor)
            }
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('never suggest a weight below the lightest of the rate', () => {
    const price = { ...base, weightGrams: 5010 }
    const { totalMinor, chargeableGrams } = priceParcel(price)
    const shared = { price, totalMinor, chargeableGrams, pickupFeeMinor: 0, otherModes: [] }
    expect(listPriceHints({ ...shared, leastGrams: 1 })).toEqual([{ kind: 'lighter', lessGrams: 10, savesMinor: 112 }])
    expect(listPriceHints({ ...shared, leastGrams: 5001 })).toEqual([])
  })
})

describe('a stored price', () => {
  it('is the same when it is recalculated, and null if its inputs are missing', () => {
    fc.assert(
      fc.property(input, fc.option(fc.integer({ min: 1, max: 3000 })), (priceInput, roundingGrams) => {
        const price = { ...priceInput, roundingGrams }
        const { surcharges } = price
        const input = {
          ...priceParcel(price),
          inputs: {
            scope: 'domestic' as const,
            serviceType: 'e_parcel' as const,
            carrier: 'own' as const,
            deliveryMode: 'D2D' as const,
            dimensions: price.dimensions,
            roundingGrams,
            remoteSurchargeMinor: price.remoteSurchargeMinor,
            discount: price.discount,
            insuredValueMinor: price.insuredValueMinor,
            codAmountMinor: price.codAmountMinor,
            fuelBasisPoints: surcharges.fuelBasisPoints,
            serviceCharge: surcharges.serviceCharge,
            insuranceTier: insuranceTier(price.insuredValueMinor, surcharges.insuranceTiers),
            codBasisPoints: surcharges.codBasisPoints,
            codMinimumMinor: surcharges.codMinimumMinor,
            taxBasisPoints: surcharges.taxBasisPoints,
          },
        }
        expect(replayBreakdown(input, price.rate)).toEqual(input)
        const { inputs: _, ...old } = input
        expect(replayBreakdown(old, price.rate)).toBeNull()
      }),
    )
  })
})

describe('a discount', () => {
  it('is zero if there is none', () => expect(discountOff(500, null)).toBe(0))
})
