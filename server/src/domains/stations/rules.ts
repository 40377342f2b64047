import type { ServiceCode, ServiceType, StationType } from '@waybill/contract/ground/enums'

/** Degrees. */
export type Point = { latitude: number; longitude: number }

const earthRadiusM = 6_371_000

/** Metres between two points as the crow flies (haversine on a sphere: within 0.5 %), rounded. */
export function distanceM(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const chord =
    Math.sin(radians(b.latitude - a.latitude) / 2) ** 2 +
    Math.cos(radians(a.latitude)) *
      Math.cos(radians(b.latitude)) *
      Math.sin(radians(b.longitude - a.longitude) / 2) ** 2
  return Math.round(2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(chord))))
}

/** `3.15,101.7` -> a point; null for anything else, and for what is not on the globe. */
export function parsePoint(text: string): Point | null {
  const match = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text)
  if (!match) return null
  const [latitude, longitude] = [Number(match[1]), Number(match[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/**
 * Seven entries, Monday first, `HH:MM`; null is closed. Closing at or before the hour of opening is on the next day.
 */
export type OpeningHours = readonly ({ open: string; close: string } | null)[]

/**
 * Whether it is open on a weekday (0 is Monday) at a time of the day (`HH:MM`), both on the wall of the deployment's
 * time zone. The minute of opening counts as open, the minute of closing does not.
 */
export function isOpen(hours: OpeningHours, weekday: number, time: string): boolean {
  const today = hours[weekday]
  const yesterday = hours[(weekday + 6) % 7]
  if (yesterday && yesterday.close <= yesterday.open && time < yesterday.close) return true
  if (!today) return false
  return today.close > today.open ? today.open <= time && time < today.close : today.open <= time
}

/** 0 for Monday to 6 for Sunday, of a calendar day (`YYYY-MM-DD`). */
export function weekday(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}

/** Postcodes from one to another, both included. */
export type PostcodeRange = { from: string; to: string }

/** Postcodes of one length compare like numbers; of another length they are another country's way of writing. */
export function covers({ from, to }: PostcodeRange, postcode: string): boolean {
  return postcode.length === from.length && from <= postcode && postcode <= to
}

/**
 * How many postcodes a range has: the narrower of two knows better. Where they aren't numbers, more than any that are.
 */
export function rangeWidth({ from, to }: PostcodeRange): number {
  const width = Number(to) - Number(from)
  return Number.isNaN(width) ? 1e12 : width
}

/** Warehouses are for the trade; people go to the others. */
export function isServiceCentre(type: StationType): boolean {
  return type !== 'warehouse'
}

/**
 * Whether a station does something for a service; documents go wherever either goes, and so does what isn't decided
 * yet.
 */
export function offersService(
  serviceCodes: readonly ServiceCode[],
  what: 'self_collection' | 'drop_off',
  serviceType: ServiceType | null,
): boolean {
  const any = serviceType === null || serviceType === 'document'
  return serviceCodes.some((code) => (any ? code.endsWith(`.${what}`) : code === `${serviceType}.${what}`))
}
