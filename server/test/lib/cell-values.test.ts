import { describe, expect, it } from 'vitest'
import { parseCellNumber } from '../../src/lib/sheet/cell-values.ts'

const units = { rm: 1 }

describe('the number in a cell', () => {
  it.each([
    ['12.5', 12.5],
    ['RM 1,200.50', 1200.5],
    ["1'200.50", 1200.5],
  ])('is read: %s', (text, value) => {
    expect(parseCellNumber(text, units)).toEqual({ kind: 'value', value })
  })

  // A suggestion may be applied to a whole column at once, so none is better than a wrong one.
  it.each([
    ['1,2', '1.2'],
    ['RM 1.200,50', '1200.5'],
    ['1.250,00', '1250'],
    ['12.345.678,90', '12345678.9'],
    ['about 1.5', '1.5'],
    ['1,200', null],
    ['RM 1,200', null],
    ['1.200.50', null],
    ['12,34,56', null],
    ['ten', null],
  ])('is suggested only if it can be no other: %s', (text, suggestion) => {
    expect(parseCellNumber(text, units)).toMatchObject({ kind: 'unclear', suggestion })
  })
})
