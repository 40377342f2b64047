/** Rules of stations: distance, opening hours, coverage. */
import type { ServiceCode, StationType } from '@waybill/contract/ground/enums/enums'
import type { ServiceType } from '@waybill/contract/ground/enums/parcel-enums'

/** In degrees. */
export type Point = { latitude: number; longitude: number }

const earthRadiusM = 6_371_000

/** The great-circle distance in whole metres (haversine on a sphere, within 0.5 %). */
export function distanceM(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const chord =
    Math.sin(radians(b.latitude - a.latitude) / 2) ** 2 +
    Math.cos(radians(a.latitude)) *
      Math.cos(radians(b.latitude)) *
      Math.sin(radians(b.longitude - a.longitude) / 2) ** 2
  return Math.round(2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(chord))))
}

/** Parses `3.15,101.7`; null for anything else and for coordinates that do not exist. */
export function parsePoint(text: string): Point | null {
  const match = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text)
  if (!match) return null
  const [latitude, longitude] = [Number(match[1]), Number(match[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/** Whether a text is meant as `lat,lng`, even if the values are out of range. */
export function looksLikePoint(text: string): boolean {
  return /^\s*-?\d+(?:\.\d+)?\s*,\s*-?\d+(?:\.\d+)?\s*$/.test(text)
}

/** Seven entries, Monday first, `HH:MM`; null is closed. A closing time up to the opening time is on the next day. */
export type OpeningHours = readonly ({ open: string; close: string } | null)[]

/**
 * Whether it is open on a weekday (0 is Monday) at a time (`HH:MM`) of the deployment's time zone. It is open in the
 * minute of opening, but not in that of closing. It does not open on a holiday, but opening hours that began the day
 * before still end normally.
 */
export function isOpen(
  hours: OpeningHours,
  weekday: number,
  time: string,
  holiday: { today: boolean; yesterday: boolean } = { today: false, yesterday: false },
): boolean {
  const today = holiday.today ? null : hours[weekday]
  const yesterday = holiday.yesterday ? null : hours[(weekday + 6) % 7]
  if (yesterday && yesterday.close <= yesterday.open && time < yesterday.close) return true
  if (!today) return false
  return today.close > today.open ? today.open <= time && time < today.close : today.open <= time
}

/** A range of postcodes, both ends included. */
export type PostcodeRange = { from: string; to: string }

/** Postcodes of one length compare like numbers; a different length belongs to another country. */
export function covers({ from, to }: PostcodeRange, postcode: string): boolean {
  return postcode.length === from.length && from <= postcode && postcode <= to
}

/** The number of postcodes of a range: of two ranges the narrower one is used. Largest if they are not numbers. */
export function rangeWidth({ from, to }: PostcodeRange): number {
  const width = Number(to) - Number(from)
  return Number.isNaN(width) ? 1e12 : width
}

/** Whether customers visit such a station; warehouses are internal. */
export function isServiceCentre(type: StationType): boolean {
  return type !== 'warehouse'
}

/**
 * Whether a station has the facilities for a service. Documents go with either service, and so does an undecided one.
 */
export function offersService(
  serviceCodes: readonly ServiceCode[],
  what: 'self_collection' | 'drop_off',
  serviceType: ServiceType | null,
): boolean {
  const any = serviceType === null || serviceType === 'document'
  return serviceCodes.some((code) => (any ? code.endsWith(`.${what}`) : code === `${serviceType}.${what}`))
}
