/**
 * When a parcel is expected (docs/pricing.md): working days, cut-off time, holidays. Days are `YYYY-MM-DD` in the
 * deployment's time zone.
 */

export type Holiday = { day: string; state: string | null }

/** States whose week rests on Friday; everywhere else it rests on Sunday. Couriers work on the other six days. */
const fridayStates: readonly string[] = ['Kedah', 'Kelantan', 'Terengganu']

const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()

export function isWorkingDay(day: string, state: string | null, holidays: readonly Holiday[]): boolean {
  const rest = state !== null && fridayStates.includes(state) ? 5 : 0
  if (weekdayOf(day) === rest) return false
  return !holidays.some((holiday) => holiday.day === day && (holiday.state === null || holiday.state === state))
}

/** Abroad the partners deliver from Monday to Friday. */
function isWorkingDayAbroad(day: string, holidays: readonly Holiday[]): boolean {
  const weekday = weekdayOf(day)
  return weekday !== 0 && weekday !== 6 && !holidays.some((holiday) => holiday.day === day && holiday.state === null)
}

export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

export function previousDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}

export type Journey = {
  /** The day and time (`HH:MM`) at which it is handed over at the earliest. */
  day: string
  time: string
  /** After this time of the day it leaves on the next working day. */
  cutOffTime: string
  originState: string | null
  destinationState: string | null
  /** Holidays of the country it goes to, if it leaves ours. */
  abroad?: readonly Holiday[] | null
  transitDays: number
}

/** The day of arrival: leaves on a working day of where it starts, then so many working days of where it goes. */
export function expectedDay(journey: Journey, holidays: readonly Holiday[]): string {
  const { abroad, originState, destinationState } = journey
  const arrives = (day: string) =>
    abroad ? isWorkingDayAbroad(day, abroad) : isWorkingDay(day, destinationState, holidays)
  let day = journey.time > journey.cutOffTime ? nextDay(journey.day) : journey.day
  while (!isWorkingDay(day, originState, holidays)) day = nextDay(day)
  for (let left = journey.transitDays; left > 0; ) {
    day = nextDay(day)
    if (arrives(day)) left -= 1
  }
  return day
}
