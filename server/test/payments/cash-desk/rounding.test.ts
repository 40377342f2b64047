import { cashPieces, findNearestCash, roundToCash } from '@waybill/contract/payments/coins'
import fc from 'fast-check'
import { expect, it } from 'vitest'

/** What is left of an amount after paying as much of it as possible with the largest notes and coins first. */
const leftOver = (amount: number, currency: string) =>
  cashPieces(currency).reduce((rest, piece) => rest % piece, amount)

const amounts = fc.integer({ min: 0, max: 10_000_000 })
const currencies = fc.constantFrom('MYR', 'SGD', 'CNY', 'USD')

it('an amount is payable if notes and coins make it; otherwise the nearest ones on both sides are named', () => {
  fc.assert(
    fc.property(amounts, currencies, (amount, currency) => {
      const nearest = findNearestCash(amount, currency)
      expect(nearest === null).toBe(leftOver(amount, currency) === 0)
      if (nearest === null) return
      const [lower, upper] = [nearest.lower, nearest.upper].map((text) => Math.round(Number(text) * 100))
      const between = Array.from({ length: Number(upper) - Number(lower) + 1 }, (_, n) => Number(lower) + n)
      expect(between).toContain(amount)
      expect(between.filter((each) => leftOver(each, currency) === 0)).toEqual([lower, upper])
      expect(Number(nearest.nearest) * 100).toBeCloseTo(roundToCash(amount, currency))
    }),
  )
  expect(findNearestCash(923, 'MYR')).toEqual({ lower: '9.20', upper: '9.25', nearest: '9.25' })
  expect(findNearestCash(923, 'JPY')).toBeNull()
})

it('cash is rounded to the nearest amount that notes and coins make, half up', () => {
  fc.assert(
    fc.property(amounts, currencies, (amount, currency) => {
      const cash = roundToCash(amount, currency)
      expect(leftOver(cash, currency)).toBe(0)
      const coin = cashPieces(currency).at(-1) ?? 0
      expect(cash - amount).toBeLessThanOrEqual(coin / 2)
      expect(amount - cash).toBeLessThan(coin / 2)
      expect(roundToCash(amount, 'JPY')).toBe(amount)
    }),
  )
  expect([1002, 1003, 1007, 1008].map((amount) => roundToCash(amount, 'MYR'))).toEqual([1000, 1005, 1005, 1010])
  expect([1004, 1005].map((amount) => roundToCash(amount, 'CNY'))).toEqual([1000, 1010])
})
