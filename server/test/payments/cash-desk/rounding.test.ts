import { roundToCash } from '@waybill/contract/payments/cash-desk'
import fc from 'fast-check'
import { expect, it } from 'vitest'

it('cash is rounded to the nearest five sen, half up, and never further', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (amount) => {
      const cash = roundToCash(amount, 'MYR')
      expect(cash % 5).toBe(0)
      expect(Math.abs(cash - amount)).toBeLessThanOrEqual(2)
      expect(roundToCash(amount, 'JPY')).toBe(amount)
    }),
  )
  expect([1002, 1003, 1007, 1008].map((amount) => roundToCash(amount, 'MYR'))).toEqual([1000, 1005, 1005, 1010])
})
