import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useLongDay } from '../src/components/display/line-breaks.ts'

// Hooks need a browser; the text is that of the English locale.
vi.mock('../src/lib/i18n.ts', () => ({
  useT:
    () =>
    (_key: string, { weekday, day }: { weekday: string; day: string }) =>
      `${weekday}, ${day}`,
}))
vi.mock('../src/lib/format.ts', async (original) => {
  const module = await original<typeof import('../src/lib/format.ts')>()
  return { ...module, useFormat: () => module.createFormat() }
})

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-26T04:00:00Z') }))
afterEach(() => vi.useRealTimers())

test('writes the year of a day only if it is not this one, and keeps the day on one line', () => {
  const longDay = useLongDay()
  expect(longDay('2026-11-27')).toBe('Friday, 27\u00a0Nov')
  expect(longDay('2027-01-04')).toBe('Monday, 04\u00a0Jan\u00a02027')
})
