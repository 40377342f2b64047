import { describe, expect, it } from 'vitest'
import { dealRows, type Row } from '../../src/lib/print/table.ts'

const row: Row = { height: 10, at: () => [] }
const deal = (count: number, foot: number) =>
  dealRows(Array(count).fill(row), (page) => ({ top: page === 0 ? 40 : 0, bottom: 100 }), foot)
const counts = (pages: unknown[][]) => pages.map((page) => page.length)

describe('the rows of a printed table', () => {
  it('use the whole of every page but the last, which keeps the space of its foot', () => {
    expect(counts(deal(4, 20))).toEqual([4])
    expect(counts(deal(6, 20))).toEqual([4, 2])
    expect(counts(deal(13, 20))).toEqual([6, 7])
    expect(counts(deal(16, 20))).toEqual([6, 8, 2])
    for (let count = 1; count <= 40; count += 1) {
      const pages = deal(count, 20)
      expect(pages.flat()).toHaveLength(count)
      expect(pages.at(-1)?.at(-1)?.y).toBeLessThanOrEqual(70)
    }
  })

  it('need no foot', () => {
    expect(counts(deal(16, 0))).toEqual([6, 10])
    expect(counts(deal(0, 20))).toEqual([0])
  })
})
