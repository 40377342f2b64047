import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distanceM, isOpen, type OpeningHours, parsePoint } from '../../src/domains/stations/rules.ts'

const point = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})

describe('distance', () => {
  it('matches the distance on the map', () => {
    // Kuala Lumpur to Kota Kinabalu, 1,625 km on the great circle.
    const km = distanceM({ latitude: 3.139, longitude: 101.6869 }, { latitude: 5.9804, longitude: 116.0735 }) / 1000
    expect(km).toBeGreaterThan(1_600)
    expect(km).toBeLessThan(1_650)
  })

  it('is symmetric, zero to the same place, and at most half the circumference of the earth', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        expect(distanceM(a, b)).toBe(distanceM(b, a))
        expect(distanceM(a, a)).toBe(0)
        expect(distanceM(a, b)).toBeLessThanOrEqual(20_016_000)
      }),
    )
  })
})

describe('a place as "lat,lng"', () => {
  it('is parsed with and without spaces, and rejected for invalid coordinates', () => {
    expect(parsePoint(' 3.15, 101.7 ')).toEqual({ latitude: 3.15, longitude: 101.7 })
    expect(parsePoint('-8.6,115.2')).toEqual({ latitude: -8.6, longitude: 115.2 })
    for (const wrong of ['91,0', '0,181', '50480', '3.15', 'a,b', '1,2,3']) expect(parsePoint(wrong)).toBeNull()
  })
})

describe('opening hours', () => {
  const week = (day: OpeningHours[number]): OpeningHours => Array.from({ length: 7 }, () => day)

  it('start at the opening minute and end before the closing minute', () => {
    const hours = week({ open: '09:00', close: '18:00' })
    expect(['08:59', '09:00', '17:59', '18:00'].map((time) => isOpen(hours, 2, time))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('may extend past midnight, into a day that is closed', () => {
    const friday: OpeningHours = [null, null, null, null, { open: '20:00', close: '02:00' }, null, null]
    expect(isOpen(friday, 4, '23:00')).toBe(true)
    expect(isOpen(friday, 5, '01:59')).toBe(true)
    expect(isOpen(friday, 5, '02:00')).toBe(false)
    expect(isOpen(friday, 4, '01:00')).toBe(false)
  })

  it('include no minute of closed days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 1439 }), (day, minute) => {
        const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
        expect(isOpen(week(null), day, time)).toBe(false)
      }),
    )
  })
})
