import { cashPieces, roundToCash } from '@waybill/contract/payments/coins'
import fc from 'fast-check'
import { expect, it } from 'vitest'

/** What is left of an amount after paying as much of it as possible with the largest notes and coins first. */
const leftOver = (amount: number, currency: string) =>
  cashPieces(currency).reduce((rest, piece) => rest % piece, amount)

it('cash is rounded to the nearest amount that notes and coins make, half up', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.constantFrom('MYR', 'SGD', 'CNY', 'USD'),
      (amount, currency) => {
        const cash = roundToCash(amount, currency)
        expect(leftOver(cash, currency)).toBe(0)
        const coin = cashPieces(currency).at(-1) ?? 0
        expect(cash - amount).toBeLessThanOrEqual(coin / 2)
        expect(amount - cash).toBeLessThan(coin / 2)
        expect(roundToCash(amount, 'JPY')).toBe(amount)
      },
    ),
  )
  expect([1002, 1003, 1007, 1008].map((amount) => roundToCash(amount, 'MYR'))).toEqual([1000, 1005, 1005, 1010])
  expect([1004, 1005].map((amount) => roundToCash(amount, 'CNY'))).toEqual([1000, 1010])
})
