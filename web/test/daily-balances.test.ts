import { expect, test } from 'vitest'
import { listDailyBalances, listDaysUntil } from '../src/features/wallet/daily-balances.ts'

const toDay = (at: string) => at.slice(0, 10)

test('carries the balance over to days without a movement, and starts with the balance before the first one', () => {
  const movements = [
    { at: '2026-11-05T10:00:00Z', amountMinor: -500, balanceAfterMinor: 1500 },
    { at: '2026-11-03T18:00:00Z', amountMinor: -1000, balanceAfterMinor: 2000 },
    { at: '2026-11-03T09:00:00Z', amountMinor: 2500, balanceAfterMinor: 3000 },
  ]
  const balances = listDailyBalances(movements, listDaysUntil('2026-11-06', 5), toDay)
  expect(balances).toEqual([
    { day: '2026-11-02', balanceMinor: 500 },
    { day: '2026-11-03', balanceMinor: 2000 },
    { day: '2026-11-04', balanceMinor: 2000 },
    { day: '2026-11-05', balanceMinor: 1500 },
    { day: '2026-11-06', balanceMinor: 1500 },
  ])
})

test('continues across the end of a month', () => {
  expect(listDaysUntil('2026-03-01', 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
})
