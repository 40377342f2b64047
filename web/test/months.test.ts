import { expect, it } from 'vitest'
import { monthsBefore } from '../src/features/wallet/months.ts'

it('lists past months, also across a new year', () => {
  expect(monthsBefore('2026-02-28', 3)).toEqual(['2026-01', '2025-12', '2025-11'])
  expect(monthsBefore('2026-01-01', 1)).toEqual(['2025-12'])
})
