import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { DeliveryDay } from '../src/features/parcels/list/delivery-day.tsx'
import { findDeliveryDay } from '../src/features/parcels/shared/delivery-day.ts'

vi.mock('../src/lib/i18n.ts', () => ({
  useT:
    () =>
    (_key: string, { day }: { day: string }) =>
      `${day}, late`,
}))
vi.mock('../src/lib/format.ts', () => ({ useFormat: () => ({ today: () => '2026-11-28' }) }))

const parcel = { status: 'sorting', leg: 'outbound', collectUntil: null, expectedDate: '2026-11-27' } as const

test('a parcel on its way to the receiver has a delivery day', () => {
  expect(findDeliveryDay(parcel)).toBe('2026-11-27')
  expect(findDeliveryDay({ ...parcel, status: 'delivering' })).toBe('2026-11-27')
})

test.each([
  ['after a failed delivery', { status: 'fail-to-deliver' }],
  ['after the delivery', { status: 'completed' }],
  ['after a recall', { status: 'recall' }],
  ['on the way back', { leg: 'return' }],
  ['at the counter for the receiver', { status: 'inbound', collectUntil: '2026-12-04' }],
] as const)('there is none %s', (_when, changes) => {
  expect(findDeliveryDay({ ...parcel, ...changes })).toBeNull()
})

test('the list marks a day that is past, but not today', () => {
  const write = (expectedDate: string) =>
    renderToString(createElement(DeliveryDay, { parcel: { ...parcel, expectedDate } as never, write: (day) => day }))
  expect(write('2026-11-27')).toBe('<strong>2026-11-27, late</strong>')
  expect(write('2026-11-28')).toBe('2026-11-28')
})
