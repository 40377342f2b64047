import { expect, test } from 'vitest'
import { payoutSums } from '../src/features/payments/cod/payout-sums.ts'

test('sums what a payout pays, and how much of it riders still have', () => {
  const one = { owedMinor: 10_000, feeMinor: 200, withRidersMinor: 4_500 }
  const other = { owedMinor: 3_000, feeMinor: 60, withRidersMinor: 0 }
  expect(payoutSums([one])).toEqual({ totalSeenMinor: 10_000, feesSeenMinor: 200, withRidersMinor: 4_500 })
  expect(payoutSums([one, other])).toEqual({ totalSeenMinor: 13_000, feesSeenMinor: 260, withRidersMinor: 4_500 })
})
