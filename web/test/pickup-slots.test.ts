import { pickupDays, pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstSlot, isOpen, openSlot } from '../src/features/parcels/cart/pickup-slots.ts'

const at = (time: string, cutOff: string | null = null) => ({ today: '2026-12-30', time, cutOff })

describe('pickup slots', () => {
  test('continue across the end of a year', () => {
    expect(pickupDays('2026-12-30')).toEqual([
      '2026-12-30',
      '2026-12-31',
      '2027-01-01',
      '2027-01-02',
      '2027-01-03',
      '2027-01-04',
    ])
  })

  test('exclude a window of today that has begun', () => {
    expect(isOpen({ date: '2026-12-30', window: '09:00-12:00' }, at('08:59'))).toBe(true)
    expect(isOpen({ date: '2026-12-30', window: '09:00-12:00' }, at('09:00'))).toBe(false)
    expect(isOpen({ date: '2026-12-31', window: '09:00-12:00' }, at('23:00'))).toBe(true)
    expect(isOpen({ date: '2026-12-29', window: '09:00-12:00' }, at('08:00'))).toBe(false)
  })

  test('exclude today after the cut-off of the station', () => {
    expect(isOpen({ date: '2026-12-30', window: '15:00-18:00' }, at('14:00', '16:00'))).toBe(true)
    expect(isOpen({ date: '2026-12-30', window: '15:00-18:00' }, at('14:00', '14:00'))).toBe(false)
  })

  test('begin with the next window of today, or the first one of tomorrow', () => {
    expect(firstSlot(at('10:00'))).toEqual({ date: '2026-12-30', window: '12:00-15:00' })
    expect(firstSlot(at('15:30'))).toEqual({ date: '2026-12-31', window: '09:00-12:00' })
  })

  test('begin with the first booked visit that can be joined, which has no fee', () => {
    const [started, visit, later, far] = [
      { date: '2026-12-30', window: '09:00-12:00' },
      { date: '2026-12-31', window: '12:00-15:00' },
      { date: '2026-12-31', window: '15:00-18:00' },
      { date: '2027-01-05', window: '09:00-12:00' },
    ] as const
    expect(firstSlot({ ...at('10:00'), visits: [started, visit, later] })).toEqual(visit)
    expect(firstSlot({ ...at('10:00'), visits: [started, far] })).toEqual({ date: '2026-12-30', window: '12:00-15:00' })
  })

  test('keep the chosen slot or at least its day if possible, and are always open (property)', () => {
    const times = fc.integer({ min: 0, max: 1439 }).map((minutes) => {
      const two = (n: number) => String(n).padStart(2, '0')
      return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
    })
    const slots = fc.record({
      date: fc.constantFrom(...pickupDays('2026-12-30')),
      window: fc.constantFrom(...pickupWindows),
    })
    fc.assert(
      fc.property(fc.option(slots), times, fc.option(times), (preference, time, cutOff) => {
        const clock = at(time, cutOff)
        const slot = openSlot(preference, clock)
        expect(isOpen(slot, clock)).toBe(true)
        if (preference && isOpen(preference, clock)) expect(slot).toEqual(preference)
        if (preference && preference.date > clock.today) expect(slot.date).toBe(preference.date)
      }),
    )
  })
})
