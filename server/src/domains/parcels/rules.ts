// Rules of parcels: expected days, missing fields, tabs and searches. Pure.

import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { chargeableGrams, type Dimensions, volumetricGrams } from '@waybill/contract/ground/measures'
import {
  backStatuses,
  cancelledStatuses,
  deliveredStatuses,
  draftStatuses,
  handoverStatuses,
} from '@waybill/contract/ground/status/parcel-status'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { ParcelTab } from '@waybill/contract/parcels/list'
import type { ParcelInput } from '@waybill/contract/parcels/parcels'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import type { ParcelRow } from './queries.ts'

export type Completeness = Pick<
  ParcelRow,
  | 'service_type'
  | 'delivery_mode'
  | 'sender'
  | 'receiver'
  | 'content_type'
  | 'weight_grams'
  | 'length_mm'
  | 'self_collection_station_id'
  | 'scope'
  | 'customs'
  | 'collection_mode'
  | 'cod_amount_minor'
>

/** The dimensions of a row; null unless it has all three. */
export function getDimensions(row: {
  length_mm: number | null
  width_mm: number | null
  height_mm: number | null
}): Dimensions | null {
  const { length_mm, width_mm, height_mm } = row
  if (length_mm === null || width_mm === null || height_mm === null) return null
  return { lengthMm: length_mm, widthMm: width_mm, heightMm: height_mm }
}

/** The weight and size that a price charges: those of a reading, or else the declared ones. */
export function chargedMeasures(
  row: Parameters<typeof getDimensions>[0],
  { weightGrams, inputs }: Pick<PriceBreakdown, 'weightGrams' | 'inputs'>,
): { weightGrams: number; dimensions: Dimensions | null } {
  return { weightGrams, dimensions: inputs ? inputs.dimensions : getDimensions(row) }
}

/**
 * The day on which the receiver can expect a parcel, and the originally promised day if it differs. A parcel that is
 * out for delivery is expected today. There is no day before the handover, which may be late, none after a failed
 * delivery until the next step is chosen, and none on the way back. Days are in the time zone of the settings.
 */
export function expectedDays(
  row: Pick<ParcelRow, 'status' | 'leg' | 'handed_over' | 'choice_made' | 'expected_date' | 'promised_date'>,
  today: string,
): { expectedDate: string | null; promisedDate: string | null } {
  const isBack = row.leg === 'return' || backStatuses.includes(row.status)
  if (isBack) return { expectedDate: row.status === 'delivering' ? today : null, promisedDate: null }
  const isOpen = row.status === 'fail-to-deliver' && row.choice_made !== true
  if (!row.handed_over || isOpen) return { expectedDate: null, promisedDate: null }
  const promised = row.promised_date ?? row.expected_date
  const expectedDate = row.status === 'delivering' ? today : row.expected_date
  return { expectedDate, promisedDate: promised === expectedDate ? null : promised }
}

/**
 * Fields that are missing before the parcel can go to the cart, by their names in the contract. The drop-off station
 * is never missing: every counter accepts parcels.
 */
export function missingFields(row: Completeness): (keyof ParcelInput)[] {
  const missing: [keyof ParcelInput, boolean][] = [
    ['serviceType', row.service_type === null],
    ['deliveryMode', row.delivery_mode === null],
    ['sender', row.sender === null],
    ['receiver', row.receiver === null],
    ['contentType', row.content_type === null],
    ['weightGrams', row.weight_grams === null],
    ['dimensions', row.length_mm === null && row.service_type !== 'document'],
    ['customs', row.scope === 'international' && row.service_type !== 'document' && row.customs === null],
    ['codAmountMinor', row.collection_mode !== null && row.cod_amount_minor === null],
    ['selfCollectionStationId', endsAtStation(row.delivery_mode) && row.self_collection_station_id === null],
  ]
  return missing.filter(([, absent]) => absent).map(([field]) => field)
}

/** The statuses of each tab of the parcels screen; null: all. Each status is in one tab besides `all`. */
export const tabStatuses: Record<ParcelTab, readonly ParcelStatus[] | null> = {
  all: null,
  draft: draftStatuses,
  unpaid: ['pending_payment', 'outstanding'],
  to_hand_over: handoverStatuses,
  moving: ['inbound', 'sorting', 'outbound', 'delivering', 'reverse_pickup'],
  delivered: deliveredStatuses,
  problem: ['fail-to-deliver', 'recall', 'lost'],
  cancelled: cancelledStatuses,
}

/**
 * One way to search, with an index of its own. Numbers are in upper case, words and cities in lower case. `terms`:
 * words, all matched whole or all by their beginning. `digits`: the end of a number, the beginning of a postcode, or a
 * part of a phone or reference (`part`, without leading zeros).
 */
export type SearchPath =
  | { by: 'number'; from: string; to: string }
  | { by: 'numbers'; numbers: readonly string[] }
  | { by: 'phone'; phone: string }
  | { by: 'terms'; terms: readonly string[]; whole: boolean }
  | { by: 'digits'; digits: string; part: string }
  | { by: 'city'; city: string }

/**
 * Splits a text into terms as the database's `parcel_terms` does. Several terms are searched as whole words first:
 * prefixes take longer, because the database must collect all words with them.
 */
function termsLooks(text: string): SearchPath[] {
  const terms = text.split(/[\0-/:-@[-`{-~]+/).flatMap((word) => (word === '' ? [] : [[...word].slice(0, 40).join('')]))
  if (terms.length === 0) return []
  const byPrefix = { by: 'terms', terms, whole: false } as const
  return terms.length === 1 ? [byPrefix] : [{ by: 'terms', terms, whole: true }, byPrefix]
}

/**
 * The ways to search for the text of the search box, the most likely first; the first one with hits is used. It may be
 * a number (or part of one, with any spaces), reference, name, phone (with or without country code), postcode or city.
 * `parsePhone` returns digits as an E.164 number, or null. Empty for an empty text.
 */
export function parseSearch(
  input: string,
  trackingPrefix: string,
  parsePhone: (text: string) => string | null,
): SearchPath[] {
  const term = input.trim().replace(/\s+/g, ' ').toLowerCase()
  if (term === '') return []
  const number = normalizeTrackingNumber(term)
  const serial = number.startsWith(trackingPrefix) ? number.slice(trackingPrefix.length) : ''
  if (/^\d{3,11}$/.test(serial)) {
    const padded = (digit: string) => `${trackingPrefix}${serial.padEnd(11, digit)}`
    return [{ by: 'number', from: padded('0'), to: padded('9') }, ...termsLooks(term)]
  }
  const digits = term.replace(/[^\d]/g, '')
  if (digits.length < 4 || !/^\+?[\d\s().-]+$/.test(term)) return [...termsLooks(term), { by: 'city', city: term }]
  const phone = parsePhone(term)
  const looks: SearchPath[] = phone === null ? [] : [{ by: 'phone', phone }]
  looks.push({ by: 'digits', digits, part: digits.replace(/^0+(?=\d{4})/, '') })
  // With its spaces or dashes the text may be a part of a reference.
  if (term !== digits) looks.push(...termsLooks(term))
  return looks
}

/** Dimensions, and the weight if it is known. */
export type ParcelSize = Dimensions & { weightGrams?: number | undefined }

/** Volumetric and chargeable weight, in grams, by the measures of a carrier. */
export function measureParcel(
  size: ParcelSize,
  { divisor, roundingGrams }: { divisor: number; roundingGrams: number },
) {
  const volumetric = volumetricGrams(size, divisor)
  return {
    volumetricGrams: volumetric,
    chargeableGrams: chargeableGrams(size.weightGrams ?? 0, volumetric, roundingGrams),
    divisor,
    stepGrams: roundingGrams,
  }
}

/** For this many minutes after a parcel was created, an identical one triggers a warning. */
export const identicalMinutes = 10
