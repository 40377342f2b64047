import { expect, test } from 'vitest'
import { createCalendarFile } from '../src/lib/browser/calendar-file.ts'

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
