import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countGunny,
  gs1CheckDigit,
  makeGunnyNumber,
  makeSscc,
  parseGunnyNumber,
} from '../../../src/domains/parcels/gunny/rules.ts'
import { gunnyTransitions, nextGunnyCheck, nextGunnyStatus } from '../../../src/domains/parcels/gunny/status.ts'

describe('gunny numbers', () => {
  it('have check digits that match the example of GS1', () => {
    expect(gs1CheckDigit('10614141123456789')).toBe(7)
    expect(parseGunnyNumber('(00) 1 0614141 123456789 7')).toEqual({ by: 'sscc', value: '106141411234567897' })
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
            expect(parseGunnyNumber(spelling)).toEqual({ by: 'sscc', value: sscc })
          }
          const slipped = `${sscc.slice(0, at)}${(Number(sscc[at]) + more) % 10}${sscc.slice(at + 1)}`
          expect(parseGunnyNumber(slipped)?.by).toBe('slip')
          const number = makeGunnyNumber(serial)
          expect(parseGunnyNumber(number.toLowerCase())).toEqual({ by: 'number', value: number })
          const digit = 2 + (at % 9)
          const wrong = `${number.slice(0, digit)}${(Number(number[digit]) + more) % 10}${number.slice(digit + 1)}`
          expect(parseGunnyNumber(wrong)?.by).toBe('slip')
        },
      ),
    )
    expect(parseGunnyNumber('WB12345678903')).toBeNull()
    expect(parseGunnyNumber('')).toBeNull()
  })
})

describe('a gunny count', () => {
  it('lists each parcel once: moving, missing or refused', () => {
    const row = fc.record({ id: fc.integer({ min: 1, max: 30 }), fits: fc.boolean() })
    const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 30 })
    fc.assert(
      fc.property(rows, fc.func(fc.boolean()), fc.func(fc.boolean()), (all, isIn, isSeen) => {
        const each = all.map(({ id, fits }) => ({ id: String(id), fits }))
        const members = each.filter((one) => isIn(one.id))
        const visible = each.filter((one) => isSeen(one.id))
        const result = countGunny(members, visible, ({ fits }) => fits)
        const ids = (some: { id: string }[]) => some.map(({ id }) => id)
        expect(ids(result.missing).some((id) => ids(visible).includes(id))).toBe(false)
        expect([...ids(result.moving), ...ids(result.refused)].sort()).toEqual(ids(visible).sort())
        expect(result.expected.length - result.missing.length + result.extra.length).toBe(result.moving.length)
        // An intact seal means that exactly the expected parcels are inside.
        const sealed = countGunny(members, null, ({ fits }) => fits)
        expect(sealed.moving).toEqual(sealed.expected)
        expect([sealed.missing, sealed.extra, sealed.refused]).toEqual([[], [], []])
      }),
    )
  })

  it('follows the transition table of a gunny, in which every status leads to an end', () => {
    expect(nextGunnyCheck('open')).toBe('received')
    expect(nextGunnyCheck('at_station')).toBe('departed')
    expect(nextGunnyCheck('in_transit')).toBe('arrived')
    expect(nextGunnyCheck('closed')).toBeNull()
    expect(nextGunnyStatus('at_station', 'received')).toBeNull()
    const keys = gunnyTransitions.map(({ event, from }) => `${from} ${event}`)
    expect(new Set(keys).size).toBe(keys.length)
  })
})
