import { addDays, getWeekday } from '@waybill/contract/ground/days'

/**
 * The expected date of delivery (docs/pricing.md): working days, cut-off time, holidays. Days are `YYYY-MM-DD` in the
 * deployment's time zone.
 */

export type Holiday = { day: string; state: string | null }

/** States that rest on Friday; all others rest on Sunday. Couriers work on the other six days. */
const fridayStates: readonly string[] = ['Kedah', 'Kelantan', 'Terengganu']

/** Whether couriers work in a state on a day. */
export function isWorkingDay(day: string, state: string | null, holidays: readonly Holiday[]): boolean {
  const rest = state !== null && fridayStates.includes(state) ? 5 : 7
  if (getWeekday(day) === rest) return false
  return !holidays.some((holiday) => holiday.day === day && (holiday.state === null || holiday.state === state))
}

/** Partners abroad deliver from Monday to Friday. */
function isWorkingDayAbroad(day: string, holidays: readonly Holiday[]): boolean {
  return getWeekday(day) < 6 && !holidays.some((holiday) => holiday.day === day && holiday.state === null)
}

export type Transit = {
  /** The earliest day and time (`HH:MM`) of the handover. */
  day: string
  time: string
  /** After this time it leaves on the next working day. */
  cutOffTime: string
  originState: string | null
  destinationState: string | null
  /** Holidays of a foreign destination. */
  abroad?: readonly Holiday[] | null
  transitDays: number
}

/** The day of arrival: leaves on a working day of the origin, then takes the given working days of the destination. */
export function expectedDay(journey: Transit, holidays: readonly Holiday[]): string {
  const { abroad, originState, destinationState } = journey
  const arrives = (day: string) =>
    abroad ? isWorkingDayAbroad(day, abroad) : isWorkingDay(day, destinationState, holidays)
  let day = journey.time > journey.cutOffTime ? addDays(journey.day, 1) : journey.day
  while (!isWorkingDay(day, originState, holidays)) day = addDays(day, 1)
  for (let daysToGo = journey.transitDays; daysToGo > 0; ) {
    day = addDays(day, 1)
    if (arrives(day)) daysToGo -= 1
  }
  return day
}
