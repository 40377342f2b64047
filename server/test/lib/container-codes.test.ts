import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  gs1CheckDigit,
  makeContainerNumber,
  makeSscc,
  parseContainerCode,
} from '../../src/lib/print/container-codes.ts'

describe('codes of containers', () => {
  it('have check digits that match the example of GS1', () => {
    expect(gs1CheckDigit('10614141123456789')).toBe(7)
    expect(parseContainerCode('(00) 1 0614141 123456789 7', 'GY')).toEqual({ by: 'sscc', value: '106141411234567897' })
  })

  it('are recognised as scanned or typed, and reveal every single-digit error', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999 }),
        fc.nat(17),
        fc.integer({ min: 1, max: 9 }),
        (serial, at, more) => {
          const sscc = makeSscc('0614141', serial)
          expect(sscc).toMatch(/^\d{18}$/)
          for (const spelling of [sscc, `00${sscc}`, `]C100${sscc}`, `(00)${sscc}`]) {
            expect(parseContainerCode(spelling, 'GY')).toEqual({ by: 'sscc', value: sscc })
          }
          const slipped = `${sscc.slice(0, at)}${(Number(sscc[at]) + more) % 10}${sscc.slice(at + 1)}`
          expect(parseContainerCode(slipped, 'GY')?.by).toBe('slip')
          const number = makeContainerNumber('GY', serial)
          expect(parseContainerCode(number.toLowerCase(), 'GY')).toEqual({ by: 'number', value: number })
          const digit = 2 + (at % 9)
          const wrong = `${number.slice(0, digit)}${(Number(number[digit]) + more) % 10}${number.slice(digit + 1)}`
          expect(parseContainerCode(wrong, 'GY')?.by).toBe('slip')
        },
      ),
    )
    expect(parseContainerCode('WB12345678903', 'GY')).toBeNull()
    expect(parseContainerCode('', 'GY')).toBeNull()
    // A bag is no gunny.
    expect(parseContainerCode(makeContainerNumber('BG', 1), 'GY')).toBeNull()
  })
})
