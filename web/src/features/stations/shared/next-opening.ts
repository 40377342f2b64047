import { addDays, getWeekday } from '@waybill/contract/ground/days'
import type { Station } from '@waybill/contract/stations/stations'

type Hours = Pick<Station, 'openingHours'> & { holiday?: string | null }

/**
 * When a closed station opens next: the number of days ahead, and the time. `today` is the day (`YYYY-MM-DD`) and
 * `time` the time (`HH:MM`) of the deployment. Null if it never opens. Future holidays are not considered.
 */
export function findNextOpening(
  { openingHours, holiday = null }: Hours,
  today: string,
  time: string,
): { days: number; day: string; open: string } | null {
  for (let days = 0; days <= 7; days += 1) {
    const day = addDays(today, days)
    const hours = openingHours[getWeekday(day) - 1]
    if (!hours || (days === 0 && (holiday !== null || hours.open <= time))) continue
    return { days, day, open: hours.open }
  }
  return null
}
