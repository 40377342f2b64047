/**
 * When a parcel is expected (product decisions, section 7): working days, cut-off time, holidays. Days are `YYYY-MM-DD` in the deployment's time zone.
 */

export type Holiday = { day: string; state: string | null }

/** States whose week rests on Friday; everywhere else it rests on Sunday. Couriers work on the other six days. */
const fridayStates: readonly string[] = ['Kedah', 'Kelantan', 'Terengganu']

export function isWorkingDay(day: string, state: string | null, holidays: readonly Holiday[]): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  const rest = state !== null && fridayStates.includes(state) ? 5 : 0
  if (weekday === rest) return false
  return !holidays.some((holiday) => holiday.day === day && (holiday.state === null || holiday.state === state))
}

export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

export type Journey = {
  /** The day and time (`HH:MM`) at which it is handed over at the earliest. */
  day: string
  time: string
  /** After this time of the day it leaves on the next working day. */
  cutOffTime: string
  originState: string | null
  destinationState: string | null
  transitDays: number
}

/** The day of arrival: leaves on a working day of where it starts, then so many working days of where it goes. */
export function expectedDay(journey: Journey, holidays: readonly Holiday[]): string {
  let day = journey.time > journey.cutOffTime ? nextDay(journey.day) : journey.day
  while (!isWorkingDay(day, journey.originState, holidays)) day = nextDay(day)
  for (let left = journey.transitDays; left > 0; ) {
    day = nextDay(day)
    if (isWorkingDay(day, journey.destinationState, holidays)) left -= 1
  }
  return day
}
