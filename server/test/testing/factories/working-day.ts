import { demoHolidays } from '../../../src/demo/network/holidays.ts'
import { type Clock, days, later } from '../../../src/lib/clock.ts'

/**
 * The first working day after this number of days as YYYY-MM-DD; riders do not work on Sundays and holidays. Also used
 * by drills of the benchmark, so this file imports nothing of Vitest.
 */
export function workingDay({ clock }: { clock: Clock }, ahead: number): string {
  for (let count = ahead; ; count += 1) {
    const date = later(clock.now(), days(count)).toISOString().slice(0, 10)
    if (new Date(`${date}T00:00:00Z`).getUTCDay() !== 0 && !demoHolidays.some(({ day }) => day === date)) return date
  }
}
