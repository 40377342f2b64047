import { describe, expect, it } from 'vitest'
import { weekParts } from '../src/features/stations/week.ts'

const fullDay = { open: '09:00', close: '18:00' }
const halfDay = { open: '09:00', close: '13:00' }

describe('weekParts', () => {
  it('merges consecutive days with the same hours into one line', () => {
    expect(weekParts([fullDay, fullDay, fullDay, fullDay, { ...fullDay }, halfDay, null])).toEqual([
      { from: 0, to: 4, hours: fullDay },
      { from: 5, to: 5, hours: halfDay },
      { from: 6, to: 6, hours: null },
    ])
    expect(weekParts(Array.from({ length: 7 }, () => null))).toEqual([{ from: 0, to: 6, hours: null }])
  })

  it('keeps days with the same hours apart if other days are between them', () => {
    expect(
      weekParts([fullDay, null, fullDay, fullDay, null, halfDay, fullDay]).map(({ from, to }) => [from, to]),
    ).toEqual([
      [0, 0],
      [1, 1],
      [2, 3],
      [4, 4],
      [5, 5],
      [6, 6],
    ])
  })
})
