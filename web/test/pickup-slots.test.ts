import { pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstSlot, isOpen, openSlot, pickupDays } from '../src/features/parcels/cart/pickup-slots.ts'

const at = (time: string, cutOff: string | null = null) => ({ today: '2026-12-30', time, cutOff })

describe('when a rider can come', () => {
  test('the days go on over the end of a year', () => {
    expect(pickupDays('2026-12-30')).toEqual([
      '2026-12-30',
      '2026-12-31',
      '2027-01-01',
      '2027-01-02',
      '2027-01-03',
      '2027-01-04',
    ])
  })

  test('a window that has begun is over for today', () => {
    expect(isOpen({ date: '2026-12-30', window: '09:00-12:00' }, at('08:59'))).toBe(true)
    expect(isOpen({ date: '2026-12-30', window: '09:00-12:00' }, at('09:00'))).toBe(false)
    expect(isOpen({ date: '2026-12-31', window: '09:00-12:00' }, at('23:00'))).toBe(true)
    expect(isOpen({ date: '2026-12-29', window: '09:00-12:00' }, at('08:00'))).toBe(false)
  })

  test('after the cut-off of the station there is no pickup today', () => {
    expect(isOpen({ date: '2026-12-30', window: '15:00-18:00' }, at('14:00', '16:00'))).toBe(true)
    expect(isOpen({ date: '2026-12-30', window: '15:00-18:00' }, at('14:00', '14:00'))).toBe(false)
  })

  test('the first slot is the next window of today, or tomorrow’s first', () => {
    expect(firstSlot(at('10:00'))).toEqual({ date: '2026-12-30', window: '12:00-15:00' })
    expect(firstSlot(at('15:30'))).toEqual({ date: '2026-12-31', window: '09:00-12:00' })
  })

  test('whatever was chosen, and however late it is, what is offered is open and keeps the day where it can', () => {
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
