import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeAgeing, unpaidByStatement } from '../../../src/domains/orders/monthly-billing/rules.ts'

const amounts = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 12 })

describe('the ageing of amounts due', () => {
  it('consists of the newest charges and adds up to the amount due', () => {
    fc.assert(
      fc.property(amounts, fc.nat(10_000), fc.nat(100), (charges, unbilled, paidPercent) => {
        const total = charges.reduce((sum, each) => sum + each, unbilled)
        const debt = Math.floor((total * (100 - paidPercent)) / 100)
        const unpaid = unpaidByStatement(debt, unbilled, charges)
        const billed = unpaid.reduce((sum, each) => sum + each, 0)
        expect(billed).toBe(Math.max(0, debt - unbilled))
        // No older charge is unpaid while a newer one is only partly unpaid.
        const part = unpaid.findIndex((each, n) => each < (charges[n] ?? 0))
        if (part >= 0) expect(unpaid.slice(part + 1).every((each) => each === 0)).toBe(true)
        const aged = computeAgeing(
          debt,
          unpaid.map((unpaidMinor, n) => ({ dueOn: `2026-${String(12 - n).padStart(2, '0')}-15`, unpaidMinor })),
          '2026-12-20',
        )
        expect(Object.values(aged).reduce((sum, each) => sum + each, 0)).toBe(debt)
      }),
    )
  })

  it('leaves nothing unpaid of orders that were refunded, whatever is charged later', () => {
    fc.assert(
      fc.property(amounts, fc.nat(10_000), (charges, unbilled) => {
        const refunded = charges.map(() => 0)
        expect(unpaidByStatement(unbilled, unbilled, refunded)).toEqual(refunded)
      }),
    )
  })
})
