/** Stations as the API answers them. */
import type { Station as StationAnswer } from '@waybill/contract/stations/stations'
import { dayIn, timeIn } from '../../lib/clock.ts'
import type { Station } from './queries.ts'
import { isOpen, weekday } from './rules.ts'

/** A station for customers and the public. `distanceM`: metres from the requested place, if any. */
export function presentStation(
  station: Station,
  now: Date,
  timeZone: string,
  distanceM: number | null = null,
): StationAnswer {
  const { active: _, openingHours, serviceCodes, ...rest } = station
  return {
    ...rest,
    openingHours: [...openingHours],
    serviceCodes: [...serviceCodes],
    openNow: isOpen(openingHours, weekday(dayIn(now, timeZone)), timeIn(now, timeZone)),
    distanceM,
  }
}
