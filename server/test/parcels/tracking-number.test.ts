import {
  checkDigit,
  groupTrackingNumber,
  normalizeTrackingNumber,
  readTrackingNumber,
} from '@waybill/contract/ground/tracking-number'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeTrackingNumber, permuteSerial } from '../../src/domains/parcels/tracking-number.ts'

const serial = fc.integer({ min: 1, max: 9_999_999_999 })

describe('tracking numbers', () => {
  it('have the check digit of ISO 7064 MOD 11,10, as in its published example', () => {
    expect(checkDigit('79462')).toBe(3)
  })

  it('are recognised in any common notation', () => {
    fc.assert(
      fc.property(serial, (n) => {
        const number = makeTrackingNumber('WB', n)
        expect(number).toMatch(/^WB\d{11}$/)
        expect(readTrackingNumber(number, 'WB')).toEqual({ kind: 'own', number })
        expect(normalizeTrackingNumber(groupTrackingNumber(number).toLowerCase())).toBe(number)
      }),
    )
  })

  it('reveal every error in a single digit', () => {
    fc.assert(
      fc.property(serial, fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 9 }), (n, place, by) => {
        const number = makeTrackingNumber('WB', n)
        const digit = (Number(number[2 + place]) + by) % 10
        const slip = `${number.slice(0, 2 + place)}${digit}${number.slice(3 + place)}`
        expect(readTrackingNumber(slip, 'WB').kind).toBe('slip')
      }),
      { numRuns: 1000 },
    )
  })

  it('reveal a missing or extra digit', () => {
    fc.assert(
      fc.property(serial, (n) => {
        const number = makeTrackingNumber('WB', n)
        expect(readTrackingNumber(number.slice(0, -1), 'WB').kind).toBe('slip')
        expect(readTrackingNumber(`${number}1`, 'WB').kind).toBe('slip')
      }),
    )
  })

  it('are unique for each serial', () => {
    fc.assert(
      fc.property(serial, serial, (a, b) => {
        expect(permuteSerial(a) === permuteSerial(b)).toBe(a === b)
      }),
      { numRuns: 5000 },
    )
    const first = new Set(Array.from({ length: 100_000 }, (_, n) => permuteSerial(n + 1)))
    expect(first.size).toBe(100_000)
  })

  it('cannot be guessed from each other: differences between consecutive numbers hardly ever repeat', () => {
    const numbers = Array.from({ length: 10_000 }, (_, n) => permuteSerial(n + 1))
    const steps = new Set(numbers.slice(1).map((number, n) => number - (numbers[n] as number)))
    expect(steps.size).toBeGreaterThan(9_900)
  })

  it('never change, because printed consignment notes have numbers made with these constants', () => {
    expect([1, 2, 3].map((n) => makeTrackingNumber('WB', n))).toMatchInlineSnapshot(`
      [
        "WB95067670199",
        "WB74813590808",
        "WB97296881655",
      ]
    `)
  })
})
