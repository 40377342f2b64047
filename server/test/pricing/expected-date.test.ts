import { describe, expect, it } from 'vitest'
import { expectedDay, isWorkingDay } from '../../src/domains/pricing/expected-date.ts'

const journey = {
  day: '2026-11-18', // a Wednesday
  time: '10:00',
  cutOffTime: '16:00',
  originState: 'Selangor',
  destinationState: 'Selangor',
  transitDays: 1,
}

describe('the expected delivery date', () => {
  it('is a number of working days after the handover', () => {
    expect(expectedDay(journey, [])).toBe('2026-11-19')
    expect(expectedDay({ ...journey, transitDays: 3 }, [])).toBe('2026-11-21')
  })

  it('is a day later after the cut-off time', () => {
    expect(expectedDay({ ...journey, time: '16:00' }, [])).toBe('2026-11-19')
    expect(expectedDay({ ...journey, time: '16:01' }, [])).toBe('2026-11-20')
  })

  it('skips Sundays, or Fridays where those are the day of rest', () => {
    expect(expectedDay({ ...journey, transitDays: 4 }, [])).toBe('2026-11-23')
    expect(expectedDay({ ...journey, destinationState: 'Kelantan', transitDays: 2 }, [])).toBe('2026-11-21')
    expect(isWorkingDay('2026-11-22', 'Kelantan', [])).toBe(true)
  })

  it('skips holidays of the country, and those of a state only in that state', () => {
    const holidays = [
      { day: '2026-11-19', state: null },
      { day: '2026-11-20', state: 'Johor' },
    ]
    expect(expectedDay(journey, holidays)).toBe('2026-11-20')
    expect(expectedDay({ ...journey, destinationState: 'Johor' }, holidays)).toBe('2026-11-21')
  })

  it('counts from a working day of the place of departure', () => {
    expect(expectedDay({ ...journey, day: '2026-11-22' }, [])).toBe('2026-11-24')
  })
})
