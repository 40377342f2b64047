import type { Party } from '@waybill/contract/addresses/addresses'
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import type { slotReasons } from '@waybill/contract/pickups/pickups'
import type { FieldProblem } from '../../http/errors.ts'

/** How far ahead a pickup can be asked for. */
export const furthestDays = 30

/** Pickups that a station makes in one window where nobody has set another number. */
export const defaultCapacity = 40

/**
 * What the deployment's calendar and clock show: day `YYYY-MM-DD`, time `HH:mm`, the last day that can be asked for.
 */
export type WallClock = { today: string; time: string; lastDay: string }

/**
 * What is wrong with the day and the window of a pickup: a day gone by or too far ahead; today, a window that has
 * begun, or any once the station's cut-off time (`HH:mm`, null for none) is over.
 */
export function timeProblems(
  { date, window }: Pick<PickupChoice, 'date' | 'window'>,
  now: WallClock,
  cutOffTime: string | null,
): FieldProblem[] {
  if (date < now.today) return [{ field: 'pickup.date', rule: 'dayPast' }]
  if (date > now.lastDay) return [{ field: 'pickup.date', rule: 'dayTooFar', vars: { days: furthestDays } }]
  if (date > now.today) return []
  const begun = (window.split('-')[0] ?? '') <= now.time
  const cutOff = cutOffTime !== null && cutOffTime <= now.time
  return begun || cutOff ? [{ field: 'pickup.window', rule: 'windowPast' }] : []
}

/** Why nobody comes then; null: somebody does. */
export function slotClosed(
  { rests, full }: { rests: boolean; full: boolean },
  problems: readonly FieldProblem[],
): (typeof slotReasons)[number] | null {
  if (problems.length > 0) return 'past'
  if (rests) return 'rest_day'
  return full ? 'full' : null
}

/** A station's numbers: usually, on a day of the week (1 is Monday), on one day. */
export type CapacityPlan = {
  perWindow: number
  week: readonly { weekday: number; window: string; pickups: number }[]
  days: readonly { day: string; window: string; pickups: number }[]
}

/** How many pickups fit into a window of a day: the day's own number, else its weekday's, else the usual one. */
export function windowCapacity({ perWindow, week, days }: CapacityPlan, day: string, window: string): number {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
  const own = days.find((one) => one.day === day && one.window === window)
  const weekly = week.find((one) => one.weekday === weekday && one.window === window)
  return (own ?? weekly)?.pickups ?? perWindow
}

/** The calendar day so many days after another one, `YYYY-MM-DD`. */
export const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)

const plain = (text: string | null) => (text ?? '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** What makes a door. */
export type Door = Pick<Party, 'line1' | 'line2' | 'postcode' | 'country'>

/** Whether two addresses are one door, however they are written; whoever is asked for there. */
export function isSamePlace(a: Door, b: Door): boolean {
  const keyOf = ({ line1, line2, postcode, country }: Door) =>
    [`${plain(line1)}${plain(line2)}`, plain(postcode), country].join('|')
  return keyOf(a) === keyOf(b)
}
