/**
 * The expected date of delivery (docs/pricing.md): working days, cut-off time, holidays. Days are `YYYY-MM-DD` in the
 * deployment's time zone.
 */

export type Holiday = { day: string; state: string | null }

/** States that rest on Friday; all others rest on Sunday. Couriers work on the other six days. */
const fridayStates: readonly string[] = ['Kedah', 'Kelantan', 'Terengganu']

const getWeekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()

/** Whether couriers work in a state on a day. */
export function isWorkingDay(day: string, state: string | null, holidays: readonly Holiday[]): boolean {
  const rest = state !== null && fridayStates.includes(state) ? 5 : 0
  if (getWeekday(day) === rest) return false
  return !holidays.some((holiday) => holiday.day === day && (holiday.state === null || holiday.state === state))
}

/** Partners abroad deliver from Monday to Friday. */
function isWorkingDayAbroad(day: string, holidays: readonly Holiday[]): boolean {
  const weekday = getWeekday(day)
  return weekday !== 0 && weekday !== 6 && !holidays.some((holiday) => holiday.day === day && holiday.state === null)
}

/** The following day. */
export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

/** The day before. */
export function previousDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}

export type Journey = {
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
export function expectedDay(journey: Journey, holidays: readonly Holiday[]): string {
  const { abroad, originState, destinationState } = journey
  const arrives = (day: string) =>
    abroad ? isWorkingDayAbroad(day, abroad) : isWorkingDay(day, destinationState, holidays)
  let day = journey.time > journey.cutOffTime ? nextDay(journey.day) : journey.day
  while (!isWorkingDay(day, originState, holidays)) day = nextDay(day)
  for (let daysToGo = journey.transitDays; daysToGo > 0; ) {
    day = nextDay(day)
    if (arrives(day)) daysToGo -= 1
  }
  return day
}
