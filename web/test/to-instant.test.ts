import { expect, test } from 'vitest'
import { toInstant } from '../src/lib/time/to-instant.ts'

test('converts a local time to an instant in its time zone, in summer and winter', () => {
  expect(toInstant('2026-11-24', '09:00', 'Asia/Kuala_Lumpur').toISOString()).toBe('2026-11-24T01:00:00.000Z')
  expect(toInstant('2026-07-01', '09:00', 'Europe/Berlin').toISOString()).toBe('2026-07-01T07:00:00.000Z')
  expect(toInstant('2026-03-29', '03:30', 'Europe/Berlin').toISOString()).toBe('2026-03-29T01:30:00.000Z')
  expect(toInstant('2026-11-24', '15:00', 'UTC').toISOString()).toBe('2026-11-24T15:00:00.000Z')
  expect(toInstant('2026-11-24', '23:59:59', 'Asia/Kuala_Lumpur').toISOString()).toBe('2026-11-24T15:59:59.000Z')
})
