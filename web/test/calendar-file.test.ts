import { expect, test } from 'vitest'
import { createCalendarFile, toInstant } from '../src/lib/browser/calendar-file.ts'

const event = {
  uid: 'PU26000017@waybill.example',
  title: '骑手上门取件, 2 件',
  place: '12, Jalan Ampang; Level 3',
  description:
    'Two\nlines \\ and a long text that says which parcels are fetched, so that the line is folded somewhere',
  start: new Date('2026-11-24T01:00:00Z'),
  end: new Date('2026-11-24T04:00:00Z'),
}

test('writes a calendar file with times in UTC, escaped texts, and lines of at most 75 bytes', () => {
  const file = createCalendarFile(event, new Date('2026-11-23T02:03:04.567Z'))
  const lines = file.split('\r\n')
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(Math.max(...lines.map((line) => new TextEncoder().encode(line).length))).toBeLessThanOrEqual(75)
  const unfolded = file.replaceAll('\r\n ', '').split('\r\n')
  expect(unfolded).toContain('DTSTAMP:20261123T020304Z')
  expect(unfolded).toContain('DTSTART:20261124T010000Z')
  expect(unfolded).toContain('DTEND:20261124T040000Z')
  expect(unfolded).toContain('SUMMARY:骑手上门取件\\, 2 件')
  expect(unfolded).toContain('LOCATION:12\\, Jalan Ampang\\; Level 3')
  expect(unfolded.find((line) => line.startsWith('DESCRIPTION:Two'))).toContain('Two\\nlines \\\\ and')
})

test('converts a local time to an instant in its time zone, in summer and winter', () => {
  expect(toInstant('2026-11-24', '09:00', 'Asia/Kuala_Lumpur').toISOString()).toBe('2026-11-24T01:00:00.000Z')
  expect(toInstant('2026-07-01', '09:00', 'Europe/Berlin').toISOString()).toBe('2026-07-01T07:00:00.000Z')
  expect(toInstant('2026-03-29', '03:30', 'Europe/Berlin').toISOString()).toBe('2026-03-29T01:30:00.000Z')
  expect(toInstant('2026-11-24', '15:00', 'UTC').toISOString()).toBe('2026-11-24T15:00:00.000Z')
})
