import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargeableGrams, volumetricGrams } from '../src/ground/measures.ts'
import { percentage, roundHalfUp } from '../src/ground/money.ts'

const length = fc.integer({ min: 1, max: 2000 })

describe('volumetric weight', () => {
  it('is 1.2 kg for 10 x 20 x 30 cm with the divisor 5000, as in the documentation of DHL', () => {
    expect(volumetricGrams({ lengthMm: 100, widthMm: 200, heightMm: 300 }, 5000)).toBe(1200)
  })

  it('is rounded up to a whole gram, and does not depend on the order of the sides', () => {
    fc.assert(
      fc.property(length, length, length, fc.integer({ min: 1000, max: 10_000 }), (a, b, c, divisor) => {
        const grams = volumetricGrams({ lengthMm: a, widthMm: b, heightMm: c }, divisor)
        expect(grams * divisor).toBeGreaterThanOrEqual(a * b * c)
        expect((grams - 1) * divisor).toBeLessThan(a * b * c)
        expect(volumetricGrams({ lengthMm: c, widthMm: a, heightMm: b }, divisor)).toBe(grams)
      }),
    )
  })
})

describe('chargeable weight', () => {
  it('is the higher weight, rounded up to the step by less than a whole step', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70_000 }),
        fc.integer({ min: 0, max: 70_000 }),
        fc.constantFrom(1, 100, 250, 500, 1000),
        (weight, volumetric, step) => {
          const chargeable = chargeableGrams(weight, volumetric, step)
          expect(chargeable % step).toBe(0)
          expect(chargeable).toBeGreaterThanOrEqual(Math.max(weight, volumetric))
          expect(chargeable - step).toBeLessThan(Math.max(weight, volumetric))
        },
      ),
    )
  })
})

describe('rounding', () => {
  it('rounds half up', () => {
    expect(roundHalfUp(1, 2)).toBe(1)
    expect(roundHalfUp(5, 2)).toBe(3)
    expect(roundHalfUp(4, 3)).toBe(1)
    expect(percentage(1050, 600)).toBe(63)
    expect(percentage(25, 200)).toBe(1)
  })

  it('changes a value by at most half a unit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000_000 }),
        fc.integer({ min: 1, max: 100_000 }),
        (numerator, denominator) => {
          expect(Math.abs(roundHalfUp(numerator, denominator) * denominator - numerator) * 2).toBeLessThanOrEqual(
            denominator,
          )
        },
      ),
    )
  })
})
