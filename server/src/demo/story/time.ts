/** Local days and hours of the demo. */
import { hours, later, minutes } from '../../lib/clock.ts'
import type { Chance } from './random.ts'

/** Malaysia is eight hours ahead of UTC all year. */
const offset = hours(8)
const dayLength = hours(24)

/** Midnight of the local day that contains the instant. */
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

/** `at` if it is within working hours; else some minutes into the next ones. `from` and `to` are local hours. */
export function inHours(at: Date, from: number, to: number, chance: Chance): Date {
  const hour = localHour(at)
  if (hour >= from && hour <= to) return at
  const next = later(localMidnight(at), hours(from) + (hour > to ? dayLength : 0))
  return later(next, minutes(chance.whole(2, 70)))
}

/** A random instant between `least` and `most` minutes after `at`, with odd seconds. */
export function after(at: Date, least: number, most: number, chance: Chance): Date {
  return later(at, chance.whole(least * 60, most * 60) * 1000)
}
