import { expect, test } from 'vitest'
import { orderPeriod } from '../src/components/list/list-state.ts'

test('a period that was entered backwards is applied forwards', () => {
  const backwards = { q: 'Klang', from: '2026-03-02', to: '2026-03-01' }
  expect(orderPeriod(backwards)).toEqual({ q: 'Klang', from: '2026-03-01', to: '2026-03-02' })
})

test.each([
  [{ from: '2026-03-01', to: '2026-03-02' }],
  [{ from: '2026-03-01', to: '2026-03-01' }],
  [{ from: '2026-03-01', to: undefined }],
  [{ from: undefined, to: '2026-03-01' }],
])('other periods stay as they are: %o', (period) => {
  expect(orderPeriod(period)).toEqual(period)
})
