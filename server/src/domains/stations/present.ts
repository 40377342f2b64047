/** Formats stations for the API. */
import { addDays, getWeekday } from '@waybill/contract/ground/days'
import type { Station as StationAnswer } from '@waybill/contract/stations/stations'
import { dayIn, timeIn } from '../../lib/clock.ts'
import type { Network } from './network.ts'
import type { Station } from './queries.ts'
import { isOpen } from './rules.ts'

/** Time-dependent facts of a response's stations, computed once, because formatting a time is slow. */
export type StationClock = {
  isOpen: (station: Station) => boolean
  /** The name of the holiday that closes the station today; null on other days. */
  getHoliday: (station: Station) => string | null
}

/** Whether stations are open at an instant, in the deployment's time zone and by its calendar of holidays. */
export function stationClock({ holidays }: Pick<Network, 'holidays'>, now: Date, timeZone: string): StationClock {
  const day = dayIn(now, timeZone)
  const time = timeIn(now, timeZone)
  const holidayOn = (on: string) => {
    const ofDay = holidays.get(on) ?? []
    return ({ country, state }: Station) =>
      ofDay.find((holiday) => holiday.country === country && (holiday.state === null || holiday.state === state))
        ?.name ?? null
  }
  const [today, yesterday] = [holidayOn(day), holidayOn(addDays(day, -1))]
  return {
    getHoliday: today,
    isOpen: (station) =>
      isOpen(station.openingHours, getWeekday(day) - 1, time, {
        today: today(station) !== null,
        yesterday: yesterday(station) !== null,
      }),
  }
}

/** A station for customers and the public. `distanceM`: metres from the requested place, if any. */
export function presentStation(station: Station, clock: StationClock, distanceM: number | null = null): StationAnswer {
  const { active: _, openingHours, serviceCodes, ...rest } = station
  return {
    ...rest,
    openingHours: [...openingHours],
    serviceCodes: [...serviceCodes],
    openNow: clock.isOpen(station),
    holiday: clock.getHoliday(station),
    distanceM,
  }
}
