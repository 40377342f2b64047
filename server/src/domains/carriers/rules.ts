// Conversions between our parcels and the carriers' formats. Pure.
import type { Party } from '@waybill/contract/addresses/addresses'
import type { Scope, ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import { fractionDigits } from '@waybill/contract/ground/format'
import type { Dimensions } from '@waybill/contract/ground/measures'
import type { Customs } from '@waybill/contract/parcels/customs'

/** A parcel as it is booked, whatever the carrier. Weights in grams, lengths in mm, money in minor units. */
export type Shipment = {
  /** The carrier's reference for the parcel (`carrierReference`), the same at each attempt. */
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

/** A DHL waybill: ten digits, the last of which is the others modulo 7. */
export function isDhlNumber(number: string): boolean {
  return /^\d{10}$/.test(number) && Number(number.slice(0, 9)) % 7 === Number(number[9])
}

/** A Yunda waybill: 13 or 15 digits. */
export function isYundaNumber(number: string): boolean {
  return /^(\d{13}|\d{15})$/.test(number)
}

/** Minutes until the next attempt, after the first, second, … failed one. */
const pauses = [1, 2, 5, 10, 20, 30, 60, 60, 60, 120, 120] as const

/** After this many attempts, in about eight hours, staff must look at it. */
export const maxAttempts = pauses.length + 1

/** The pause after this many failed attempts. */
export function pauseMinutes(attempts: number): number {
  return pauses[Math.min(Math.max(attempts, 1), pauses.length) - 1] as number
}

/** What DHL's label takes of an address: lines, and characters of a line. */
const dhlAddress = { lines: 3, width: 45 } as const

/**
 * The lines of an address on DHL's label, broken between words if possible; null if it is too long. DHL truncates
 * longer texts, and a parcel with a truncated address is lost.
 */
export function dhlAddressLines({ line1, line2, state }: Pick<Party, 'line1' | 'line2' | 'state'>): string[] | null {
  const { width } = dhlAddress
  const words = [line1, line2, state]
    .flatMap((part) => (part ?? '').split(/\s+/))
    .filter(Boolean)
    .flatMap((word) => splitWord(word, width))
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.length <= dhlAddress.lines ? lines : null
}

/** The party whose address DHL cannot take; null: it takes both. Other carriers take any address of ours. */
export function findAddressTooLongForDhl(ends: { sender: Party; receiver: Party }): 'sender' | 'receiver' | null {
  return (['sender', 'receiver'] as const).find((end) => dhlAddressLines(ends[end]) === null) ?? null
}

/** Pieces of at most `width` characters, without splitting surrogate pairs. */
function splitWord(word: string, width: number): string[] {
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

/** The local time of a time zone, and its offset from GMT: `+08:00`. */
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

/** A time in DHL's format: `2019-08-04T14:00:31GMT+01:00`. */
export function dhlDateTime(at: Date, timeZone: string): string {
  const { text, offset } = wallClock(at, timeZone)
  return `${text}GMT${offset}`
}

/** Parses an ISO date and time; `timeZone` applies if it has none. Null for anything else. */
export function parseCarrierTime(text: string, timeZone: string): Date | null {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?$/.exec(text.trim())
  if (!match) return null
  const [, day, time, seconds = ':00', , zone] = match
  const at = (offset: string) => new Date(`${day}T${time}${seconds}${offset}`)
  if (zone) {
    const instant = at(zone === 'Z' ? 'Z' : zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2'))
    return Number.isNaN(instant.getTime()) ? null : instant
  }
  const utc = at('Z')
  if (Number.isNaN(utc.getTime())) return null
  // The offset of that day: around a daylight saving change the result may be an hour off.
  return at(wallClock(utc, timeZone).offset)
}

/** Converts minor units to a decimal number, the carriers' format. */
export function majorUnits(amountMinor: number, currency: string): number {
  return amountMinor / 10 ** fractionDigits(currency)
}

/** Converts a carrier's decimal to minor units, rounded half up. */
export function minorUnits(amount: number, currency: string): number {
  return Math.round(majorUnits(1, currency) === 1 ? amount : amount / majorUnits(1, currency))
}

export const kilograms = (grams: number) => grams / 1000
/** Whole centimetres, rounded up: carriers charge more for a parcel that turns out larger. */
export const centimetres = (mm: number) => Math.max(1, Math.ceil(mm / 10))
