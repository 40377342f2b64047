import { pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import type { CapacityInput, StationCapacity } from '@waybill/contract/pickups/windows'

/** A typed number: null is empty, NaN is invalid. */
export type PickupCount = number | null

export type CapacityValues = {
  version: number
  perWindow: PickupCount
  cutOffTime: string
  /** By day of the week (Monday first) and window. */
  week: readonly (readonly PickupCount[])[]
  days: readonly { day: string; pickups: readonly PickupCount[] }[]
}

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const
export const noPickups: readonly PickupCount[] = pickupWindows.map(() => null)

/** The form values of a station. */
export function capacityValues({ version, perWindow, cutOffTime, week, days }: StationCapacity): CapacityValues {
  const numbers = (of: readonly { window: string; pickups: number }[]) =>
    pickupWindows.map((window) => of.find((one) => one.window === window)?.pickups ?? null)
  return {
    version,
    perWindow,
    cutOffTime: cutOffTime ?? '',
    week: weekdays.map((weekday) => numbers(week.filter((one) => one.weekday === weekday))),
    days: [...new Set(days.map(({ day }) => day))].map((day) => ({
      day,
      pickups: numbers(days.filter((one) => one.day === day)),
    })),
  }
}

const withoutBlank = (pickups: readonly PickupCount[]) =>
  pickups.flatMap((count, n) => {
    const window = pickupWindows[n]
    return count === null || window === undefined ? [] : [{ window, pickups: count }]
  })

/** Converts the form values to the contract. Empty fields are omitted. */
export function toCapacityInput({ version, perWindow, cutOffTime, week, days }: CapacityValues): CapacityInput {
  return {
    version,
    // The schema reports missing values.
    perWindow: perWindow as number,
    cutOffTime: cutOffTime === '' ? null : cutOffTime,
    week: week.flatMap((pickups, n) => withoutBlank(pickups).map((one) => ({ weekday: n + 1, ...one }))),
    days: days.flatMap(({ day, pickups }) => withoutBlank(pickups).map((one) => ({ day, ...one }))),
  }
}

/** Whether a number is a valid count of pickups. */
export const isPickupCount = (count: PickupCount) =>
  count === null || (Number.isInteger(count) && count >= 0 && count <= 1000)
