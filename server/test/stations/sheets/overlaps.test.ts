import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findOverlaps, type GroupedRange, sharedPart } from '../../../src/domains/stations/sheets/rules-overlaps.ts'

const digits = (n: number) => String(n).padStart(2, '0')
const range = fc
  .tuple(fc.constantFrom('my', 'sg'), fc.nat(30), fc.nat(8))
  .map(([group, from, length]): GroupedRange => ({ group, from: digits(from), to: digits(from + length) }))

/** True for equal ranges, and for ranges of which neither contains the other. */
function clash(a: GroupedRange, b: GroupedRange): boolean {
  if (a.group !== b.group || a.to < b.from || b.to < a.from) return false
  const isInside = (inner: GroupedRange, outer: GroupedRange) => outer.from <= inner.from && inner.to <= outer.to
  return (a.from === b.from && a.to === b.to) || !(isInside(a, b) || isInside(b, a))
}

describe('overlapping ranges', () => {
  it('match a comparison of every pair', () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 40 }), (ranges) => {
        const overlaps = findOverlaps(ranges)
        for (const [n, one] of ranges.entries()) {
          const other = overlaps.get(n)
          const clashing = ranges.filter((each, k) => k !== n && clash(one, each))
          expect(other !== undefined, `${JSON.stringify(ranges)} at ${n}`).toBe(clashing.length > 0)
          if (other === undefined) continue
          const partner = ranges[other] as GroupedRange
          expect(clashing).toContain(partner)
          const { from, to } = sharedPart(one, partner)
          expect(from <= to && from >= one.from && to <= one.to && from >= partner.from && to <= partner.to).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('exclude a range that ends before it starts', () => {
    const ranges = [
      { group: 'my', from: '20', to: '10' },
      { group: 'my', from: '15', to: '25' },
    ]
    expect(findOverlaps(ranges).size).toBe(0)
  })
})
