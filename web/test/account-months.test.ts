import { expect, it } from 'vitest'
import { listMonths } from '../src/lib/time/account-months.ts'

it('lists the months of an account, latest first, across years, at most two years back', () => {
  expect(listMonths('2026-02-28', '2025-11-30')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11'])
  expect(listMonths('2026-01-31', '2026-01-01')).toEqual(['2026-01'])
  const all = listMonths('2026-01-01', '2019-05-05')
  expect([all.length, all.at(-1)]).toEqual([25, '2024-01'])
  expect(listMonths('2026-01-01', undefined)).toEqual(all)
  // A clock of the browser that is behind must not offer nothing.
  expect(listMonths('2026-01-31', '2026-02-01')).toEqual(['2026-01'])
})
