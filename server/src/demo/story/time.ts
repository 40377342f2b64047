/** Local days and hours of the demo. */
import { hours, later, minutes } from '../../lib/clock.ts'
import type { Chance } from './random.ts'

/** Malaysia's clocks stand eight hours ahead of UTC the whole year. */
const offset = hours(8)
const dayLength = hours(24)

/** Midnight of the local day that the instant falls in. */
export function localMidnight(at: Date): Date {
  const local = at.getTime() + offset
  return new Date(local - (local % dayLength) - offset)
}

/** Hours since local midnight: 14.5 is half past two in the afternoon. */
export function localHour(at: Date): number {
  return (at.getTime() - localMidnight(at).getTime()) / hours(1)
}

/** The local day, `YYYY-MM-DD`. */
export function localDay(at: Date): string {
  return later(at, offset).toISOString().slice(0, 10)
}

/**
 * `at` itself when people work then; else some minutes into the next working hours. `from` and `to` are local hours.
 */
export function inHours(at: Date, from: number, to: number, chance: Chance): Date {
  const hour = localHour(at)
  if (hour >= from && hour <= to) return at
  const next = later(localMidnight(at), hours(from) + (hour > to ? dayLength : 0))
  return later(next, minutes(chance.whole(2, 70)))
}

/** The instant some time after `at`: between so many minutes, with odd seconds. */
export function after(at: Date, least: number, most: number, chance: Chance): Date {
  return later(at, chance.whole(least * 60, most * 60) * 1000)
}
