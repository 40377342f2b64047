import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkDigit,
  groupNumbersIn,
  groupTrackingNumber,
  normalizeTrackingNumber,
  numberSeparators,
  readTrackingNumber,
} from '../src/ground/tracking-number.ts'

const serial = fc.stringMatching(/^\d{10}$/)
const own = serial.map((digits) => `WB${digits}${checkDigit(digits)}`)

describe('check digit, ISO 7064 MOD 11,10', () => {
  it('matches the published example of the standard', () => {
    expect(checkDigit('79462')).toBe(3)
  })

  it('detects every wrong digit', () => {
    fc.assert(
      fc.property(own, fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 9 }), (number, at, by) => {
        const digits = [...number.slice(2)]
        digits[at] = String((Number(digits[at]) + by) % 10)
        expect(readTrackingNumber(`WB${digits.join('')}`, 'WB').kind).toBe('slip')
      }),
    )
  })
})

describe('reading a tracking number', () => {
  it('recognises a valid one with any spacing and case', () => {
    fc.assert(
      fc.property(own, (number) => {
        expect(readTrackingNumber(number, 'WB')).toEqual({ kind: 'own', number })
        expect(readTrackingNumber(` ${groupTrackingNumber(number).toLowerCase()}- `, 'WB')).toEqual({
          kind: 'own',
          number,
        })
      }),
    )
  })

  it('groups the numbers within a text so that no line separates them, and leaves other numbers alone', () => {
    expect(groupNumbersIn('Did you mean WB00000010229? See ORD-00000123 and +60123456789.')).toBe(
      'Did you mean WB\u00a00000\u00a00010\u00a0229? See ORD-00000123 and +60123456789.',
    )
  })

  it('suggests the correct number or none if two digits were swapped, but never a wrong one', () => {
    fc.assert(
      fc.property(own, fc.integer({ min: 0, max: 9 }), (number, at) => {
        const digits = number.slice(2)
        const swapped = `WB${digits.slice(0, at)}${digits[at + 1]}${digits[at]}${digits.slice(at + 2)}`
        const reading = readTrackingNumber(swapped, 'WB')
        if (reading.kind !== 'slip' || reading.suggestion === null) return
        expect(readTrackingNumber(reading.suggestion, 'WB').kind).toBe('own')
      }),
    )
  })

  it("recognises the carriers' numbers by their formats", () => {
    expect(readTrackingNumber('9356579890', 'WB').kind).toBe('dhl')
    expect(readTrackingNumber('9356579891', 'WB').kind).toBe('slip')
    expect(readTrackingNumber('3120052228790', 'WB').kind).toBe('yunda')
    expect(readTrackingNumber('RR473124829MY', 'WB').kind).toBe('s10')
    expect(readTrackingNumber('RR473124828MY', 'WB').kind).toBe('slip')
    for (const number of ['4818240420', '5584773180']) expect(readTrackingNumber(number, 'WB').kind).toBe('dhl')
    expect(readTrackingNumber('312005222879012', 'WB').kind).toBe('yunda')
    expect(readTrackingNumber('hello', 'WB').kind).toBe('unknown')
  })

  it('reads full-width digits and letters', () => {
    expect(readTrackingNumber('ＲＲ４７３１２４８２９ＭＹ', 'WB')).toEqual({ kind: 's10', number: 'RR473124829MY' })
  })

  it('strips separators between the digits', () => {
    expect(normalizeTrackingNumber(' wb 1234-5678.901 ')).toBe('WB12345678901')
  })
})

describe('several numbers in one text', () => {
  it('separates them by commas, lines and spaces, but keeps the spaces of a number', () => {
    const text = 'WB 5700 8395 491 WB1224-8993-840, RR 473124829 MY rr473124829my\n312005222879012'
    const parts = text.split(numberSeparators).filter((part) => part.trim() !== '')
    expect(parts.map(normalizeTrackingNumber)).toEqual([
      'WB57008395491',
      'WB12248993840',
      'RR473124829MY',
      'RR473124829MY',
      '312005222879012',
    ])
  })
})
