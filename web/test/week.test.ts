import { describe, expect, it } from 'vitest'
import { weekParts } from '../src/features/stations/week.ts'

const whole = { open: '09:00', close: '18:00' }
const half = { open: '09:00', close: '13:00' }

describe('the opening hours of a week', () => {
  it('take one line for days in a row with the same hours', () => {
    expect(weekParts([whole, whole, whole, whole, { ...whole }, half, null])).toEqual([
      { from: 0, to: 4, hours: whole },
      { from: 5, to: 5, hours: half },
      { from: 6, to: 6, hours: null },
    ])
    expect(weekParts(Array.from({ length: 7 }, () => null))).toEqual([{ from: 0, to: 6, hours: null }])
  })

  it('do not join days that others stand between', () => {
    expect(weekParts([whole, null, whole, whole, null, half, whole]).map(({ from, to }) => [from, to])).toEqual([
      [0, 0],
      [1, 1],
      [2, 3],
      [4, 4],
      [5, 5],
      [6, 6],
    ])
  })
})
