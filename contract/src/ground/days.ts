/**
 * Arithmetic with calendar days (`YYYY-MM-DD`) and months (`YYYY-MM`), which belong to no time zone. Years 1 to 9999.
 * Instants, and the day of an instant in a time zone: server/src/lib/clock.ts.
 */

const dayMs = 86_400_000

/** The day a number of days later, or before. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)

/** The number of days from one day to another; negative if that is earlier. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

/** This many days in order, beginning with `first`. */
export const listDays = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => addDays(first, n))

/** The month a number of months after, or before, a month or the month of a day or an instant. */
export function addMonths(day: string, count: number): string {
  const month = new Date(day.slice(0, 7))
  month.setUTCMonth(month.getUTCMonth() + count)
  return month.toISOString().slice(0, 7)
}

/** The number of months from the month of one day to that of a later one. */
export function monthsBetween(from: string, to: string): number {
  const [first, last] = [new Date(from), new Date(to)]
  return (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth()
}

/** The weekday: 1 for Monday to 7 for Sunday. */
export const getWeekday = (day: string): number => new Date(day).getUTCDay() || 7

/** A day that has this weekday, for its name. */
export const exampleOfWeekday = (weekday: number): string => addDays('2024-01-01', weekday - 1)
