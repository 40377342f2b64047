import { expect, test } from 'vitest'
import { findNextOpening } from '../src/features/stations/shared/next-opening.ts'

const weekdays = { open: '08:30', close: '18:00' }
const openingHours = [weekdays, weekdays, weekdays, weekdays, weekdays, { open: '09:00', close: '13:00' }, null]

test('finds the next opening of a closed station', () => {
  // Monday before and after its hours.
  expect(findNextOpening({ openingHours }, '2026-11-23', '07:00')).toEqual({
    days: 0,
    day: '2026-11-23',
    open: '08:30',
  })
  expect(findNextOpening({ openingHours }, '2026-11-23', '19:00')).toEqual({
    days: 1,
    day: '2026-11-24',
    open: '08:30',
  })
  // Saturday afternoon: not on Sunday.
  expect(findNextOpening({ openingHours }, '2026-11-28', '14:00')).toEqual({
    days: 2,
    day: '2026-11-30',
    open: '08:30',
  })
})

test('skips a holiday, and finds no opening for a station without hours', () => {
  const holiday = { openingHours, holiday: 'Deepavali' }
  expect(findNextOpening(holiday, '2026-11-23', '07:00')).toEqual({ days: 1, day: '2026-11-24', open: '08:30' })
  expect(findNextOpening({ openingHours: Array(7).fill(null) }, '2026-11-23', '07:00')).toBeNull()
  const once = [weekdays, null, null, null, null, null, null]
  expect(findNextOpening({ openingHours: once }, '2026-11-23', '19:00')).toMatchObject({ days: 7, day: '2026-11-30' })
})
