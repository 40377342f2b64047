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
  const start = Date.parse(`${today}T00:00:00Z`)
  for (let days = 0; days <= 7; days += 1) {
    const date = new Date(start + days * 86_400_000)
    // The contract's week starts on Monday, a JavaScript date's on Sunday.
    const hours = openingHours[(date.getUTCDay() + 6) % 7]
    if (!hours || (days === 0 && (holiday !== null || hours.open <= time))) continue
    return { days, day: date.toISOString().slice(0, 10), open: hours.open }
  }
  return null
}
