import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { slotReason } from '../src/features/parcels/cart/pickup-slots.ts'
import { dayReason, useDayChoices, useWindowChoices } from '../src/features/parcels/shared/day-choices.ts'

// Hooks need a browser; each text is its key.
vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key }))
vi.mock('../src/lib/format.ts', async (original) => {
  const { createFormat } = await original<typeof import('../src/lib/format.ts')>()
  return { useFormat: () => createFormat() }
})

// A Thursday.
beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-26T04:00:00Z') }))
afterEach(() => vi.useRealTimers())

const open = (...dates: string[]) => dates.map((date) => ({ date, closed: null }))

test('names today, tomorrow and other days in the same way wherever a day is chosen', () => {
  const choices = useDayChoices()(open('2026-11-26', '2026-11-27', '2026-11-28'))
  expect(choices.map(({ title }) => title)).toEqual(['cart.today', 'cart.tomorrow', 'Saturday'])
  expect(choices.map(({ text }) => text)).toEqual(['26 Nov', '27 Nov', '28 Nov'])
})

test.each(['rest_day', 'past', 'full'] as const)('gives the reason why today is closed: %s', (closed) => {
  const [today] = useDayChoices()([{ date: '2026-11-26', closed }])
  expect(today).toMatchObject({ disabled: true, text: `pickupClosed.${closed}` })
  const [window] = useWindowChoices()([{ window: '09:00-12:00', closed }])
  expect(window).toMatchObject({ disabled: true, text: `pickupClosed.${closed}` })
})

test('closes a day only if all its windows are closed, for the reason of the last one', () => {
  expect(dayReason([{ closed: 'past' }, { closed: null }])).toBeNull()
  expect(dayReason([{ closed: 'past' }, { closed: 'full' }])).toBe('full')
})

test('tells a rest day and a full window from a time that is over', () => {
  const closedSlots = new Map([
    ['2026-11-26 15:00-18:00', 'full' as const],
    ['2026-11-27 09:00-12:00', 'rest_day' as const],
  ])
  const clock = { today: '2026-11-26', time: '12:30', cutOff: null, closedSlots }
  expect(slotReason({ date: '2026-11-26', window: '09:00-12:00' }, clock)).toBe('past')
  expect(slotReason({ date: '2026-11-26', window: '15:00-18:00' }, clock)).toBe('full')
  expect(slotReason({ date: '2026-11-27', window: '09:00-12:00' }, clock)).toBe('rest_day')
  expect(slotReason({ date: '2026-11-27', window: '12:00-15:00' }, clock)).toBeNull()
})
