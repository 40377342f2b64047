// Rules of pickup windows and capacities. Pure.
import { getWeekday } from '@waybill/contract/ground/days'
import { isSlotPast, type PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import type { slotReasons } from '@waybill/contract/pickups/slots'
import type { FieldProblem } from '../../http/errors.ts'

/** How many days ahead a pickup can be booked. */
export const furthestDays = 30

/** The number of pickups of a station in one window, unless staff set another one. */
export const defaultCapacity = 40

/** The local day (`YYYY-MM-DD`) and time (`HH:mm`), and the last day that can be booked. */
export type WallClock = { today: string; time: string; lastDay: string }

/** The number of a pickup that a user typed, with or without its prefix and leading zeros: `12`, `pu-12`. */
export function normalizePickupNumber(text: string): string {
  const digits = /^(?:PU-?)?(\d{1,8})$/i.exec(text.trim())?.[1]
  return digits === undefined ? text.trim() : `PU-${digits.padStart(8, '0')}`
}

/**
 * The problems of a day and window: a past day, or one too far ahead; today a window that has started, or any after
 * the station's cut-off time (`HH:mm`, null: none).
 */
export function timeProblems(
  slot: Pick<PickupChoice, 'date' | 'window'>,
  now: WallClock,
  cutOffTime: string | null,
): FieldProblem[] {
  const { date } = slot
  if (date < now.today) return [{ field: 'pickup.date', rule: 'dayPast' }]
  if (date > now.lastDay) return [{ field: 'pickup.date', rule: 'dayTooFar', vars: { days: furthestDays } }]
  return isSlotPast(slot, { ...now, cutOff: cutOffTime }) ? [{ field: 'pickup.window', rule: 'windowPast' }] : []
}

/** Why a slot cannot be booked; null: it can. */
export function whySlotClosed(
  { rests, full }: { rests: boolean; full: boolean },
  problems: readonly FieldProblem[],
): (typeof slotReasons)[number] | null {
  if (problems.length > 0) return 'past'
  if (rests) return 'rest_day'
  return full ? 'full' : null
}

/** A station's capacity: per window, by weekday (1 is Monday), and on single days. */
export type CapacityPlan = {
  perWindow: number
  week: readonly { weekday: number; window: string; pickups: number }[]
  days: readonly { day: string; window: string; pickups: number }[]
}

/** The capacity of a window on a day: that of the day, else of its weekday, else the default. */
export function windowCapacity({ perWindow, week, days }: CapacityPlan, day: string, window: string): number {
  const weekday = getWeekday(day)
  const own = days.find((one) => one.day === day && one.window === window)
  const weekly = week.find((one) => one.weekday === weekday && one.window === window)
  return (own ?? weekly)?.pickups ?? perWindow
}
