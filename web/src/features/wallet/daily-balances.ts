import { addDays, listDays } from '@waybill/contract/ground/days'
import type { Movement } from '@waybill/contract/wallet/wallet'

type BalanceChange = Pick<Movement, 'at' | 'amountMinor' | 'balanceAfterMinor'>

/**
 * The balance at the end of each of these days, in minor units. `movements` are the newest first and reach back to the
 * first day at least, or to the beginning of the wallet; `toDay` gives the calendar day of an instant.
 */
export function listDailyBalances(
  movements: readonly BalanceChange[],
  days: readonly string[],
  toDay: (at: string) => string,
): { day: string; balanceMinor: number }[] {
  const oldest = movements.at(-1)
  const before = oldest ? oldest.balanceAfterMinor - oldest.amountMinor : 0
  return days.map((day) => ({
    day,
    balanceMinor: movements.find(({ at }) => toDay(at) <= day)?.balanceAfterMinor ?? before,
  }))
}

/** The `count` days up to `today` (`YYYY-MM-DD`), oldest first. */
export function listDaysUntil(today: string, count: number): string[] {
  return listDays(addDays(today, 1 - count), count)
}
