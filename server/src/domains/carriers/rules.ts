import type { Party } from '@waybill/contract/addresses/addresses'
import type { Scope, ServiceType } from '@waybill/contract/ground/enums'
import { fractionDigits } from '@waybill/contract/ground/format'
import type { Dimensions } from '@waybill/contract/ground/measures'
import type { Customs } from '@waybill/contract/parcels/customs'

/** A parcel as a carrier is told of it, whichever carrier. Weights in grams, lengths in mm, money in minor units. */
export type Shipment = {
  /** What the carrier knows it by, the same however often it is asked: `referenceOf` its id. */
  reference: string
  trackingNumber: string
  scope: Scope
  serviceType: ServiceType
  sender: Party
  receiver: Party
  contentDescription: string
  weightGrams: number
  dimensions: Dimensions | null
  declaredValueMinor: number | null
  codAmountMinor: number | null
  currency: string
  /** Null within the country. */
  customs: Customs | null
  /** When it can be handed to the carrier. */
  readyAt: Date
  timeZone: string
}

/**
 * The 32 hexadecimal digits of a parcel's id: DHL takes 28 to 36 characters as message reference and up to 35 as
 * reference, Yunda 32.
 */
export function carrierReference(parcelId: string): string {
  return parcelId.replaceAll('-', '')
}

/** DHL's check: the first nine digits modulo 7 are the tenth. */
export function isDhlNumber(number: string): boolean {
  return /^\d{10}$/.test(number) && Number(number.slice(0, 9)) % 7 === Number(number[9])
}

export function isYundaNumber(number: string): boolean {
  return /^(\d{13}|\d{15})$/.test(number)
}

/** Minutes until the next try after so many tries that failed. */
const pauses = [1, 2, 5, 10, 20, 30, 60, 60, 60, 120, 120, 240] as const

/** After so many tries, about twelve hours, somebody has to look. */
export const mostAttempts = pauses.length

export function pauseMinutes(attempts: number): number {
  return pauses[Math.min(Math.max(attempts, 1), pauses.length) - 1] as number
}

/**
 * An address in lines of at most `width` characters, broken between words where that can be; null when it needs more
 * than `most` lines. Carriers cut what is too long, and a cut address is a lost parcel.
 */
export function addressLines(parts: readonly (string | null)[], width: number, most: number): string[] | null {
  const words = parts
    .flatMap((part) => (part ?? '').split(/\s+/))
    .filter(Boolean)
    .flatMap((word) => piecesOf(word, width))
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.length <= most ? lines : null
}

/** Whole characters: half of a surrogate pair is none. */
function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece.length + character.length > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return piece === '' ? pieces : [...pieces, piece]
}

/** The wall clock of a time zone at an instant, and how far it is ahead of GMT: `+08:00`. */
function wallClock(at: Date, timeZone: string): { text: string; offset: string } {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const offset = (parts.timeZoneName ?? '').replace('GMT', '') || '+00:00'
  return { text: `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`, offset }
}

/** `2019-08-04T14:00:31GMT+01:00`, as DHL writes when a shipment is ready. */
export function dhlDateTime(at: Date, timeZone: string): string {
  const { text, offset } = wallClock(at, timeZone)
  return `${text}GMT${offset}`
}

/** An ISO date and time, read in a time zone when it names none; null when it is none. */
export function parseCarrierTime(text: string, timeZone: string): Date | null {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?$/.exec(text.trim())
  if (!match) return null
  const [, day, time, seconds = ':00', , zone] = match
  const at = (offset: string) => new Date(`${day}T${time}${seconds}${offset}`)
  if (zone) {
    const found = at(zone === 'Z' ? 'Z' : zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2'))
    return Number.isNaN(found.getTime()) ? null : found
  }
  const utc = at('Z')
  if (Number.isNaN(utc.getTime())) return null
  // The offset of that day; an hour around a change of summer time may be one off.
  return at(wallClock(utc, timeZone).offset)
}

/** Minor units as a decimal number, which is what carriers take. */
export function majorUnits(amountMinor: number, currency: string): number {
  return amountMinor / 10 ** fractionDigits(currency)
}

/** A carrier's decimal as minor units, rounded half up. */
export function minorUnits(amount: number, currency: string): number {
  return Math.round(majorUnits(1, currency) === 1 ? amount : amount / majorUnits(1, currency))
}

export const kilograms = (grams: number) => grams / 1000
/** Whole centimetres, rounded up: a parcel is never smaller than it is told. */
export const centimetres = (mm: number) => Math.max(1, Math.ceil(mm / 10))
