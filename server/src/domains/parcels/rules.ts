import type { ParcelStatus } from '@waybill/contract/ground/enums'
import { chargeableGrams, type Dimensions, volumetricGrams } from '@waybill/contract/ground/measures'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { ParcelTab } from '@waybill/contract/parcels/list'
import type { ParcelInput } from '@waybill/contract/parcels/parcels'
import type { ParcelRow } from './queries.ts'

type Completeness = Pick<
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

/**
 * The day on which a parcel is expected, and the first promise where that is another one. A parcel that is out for
 * delivery is expected today. Days are those of the deployment's time zone.
 */
export function expectedDays(
  row: Pick<ParcelRow, 'status' | 'expected_date' | 'promised_date'>,
  today: string,
): { expectedDate: string | null; promisedDate: string | null } {
  const promised = row.promised_date ?? row.expected_date
  const expectedDate = row.status === 'delivering' ? today : row.expected_date
  return { expectedDate, promisedDate: promised === expectedDate ? null : promised }
}

/**
 * Fields that still miss before the parcel can go to the cart, by their names in the contract. A document needs no
 * size; a station of self collection is needed where the mode ends at a point; any counter takes a parcel, so the
 * drop-off station is never needed.
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
    ['selfCollectionStationId', row.delivery_mode?.[2] === 'P' && row.self_collection_station_id === null],
  ]
  return missing.filter(([, absent]) => absent).map(([field]) => field)
}

/** Statuses of each tab of the parcels screen; null: every parcel. Together they name each status once. */
export const tabStatuses: Record<ParcelTab, readonly ParcelStatus[] | null> = {
  all: null,
  draft: ['pending', 'incart'],
  unpaid: ['pending_payment', 'outstanding'],
  to_hand_over: ['pending_pickup', 'pending_dropoff'],
  moving: ['inbound', 'sorting', 'outbound', 'delivering', 'reverse_pickup'],
  delivered: ['completed', 'collected'],
  problem: ['fail-to-deliver', 'recall'],
  cancelled: ['cancel', 'refunded'],
}

/**
 * One way to look for what somebody typed; each is answered by indexes of its own. Numbers are of the upper case, words
 * and cities of the lower. `terms`: words, all of them whole or each by its beginning; `digits`: the end of a number, a
 * part of a phone or a reference (`part`, without the noughts before it), the beginning of a postcode.
 */
export type Look =
  | { by: 'number'; from: string; to: string }
  | { by: 'numbers'; numbers: readonly string[] }
  | { by: 'phone'; phone: string }
  | { by: 'terms'; terms: readonly string[]; whole: boolean }
  | { by: 'digits'; digits: string; part: string }
  | { by: 'city'; city: string }

/**
 * Letters and digits between blanks and marks, as `parcel_terms` of the database takes them apart. Several are looked
 * for as whole words first: what all of them share is found at once, while beginnings have to be gathered.
 */
function termsLooks(text: string): Look[] {
  const terms = text.split(/[\0-/:-@[-`{-~]+/).flatMap((word) => (word === '' ? [] : [[...word].slice(0, 40).join('')]))
  if (terms.length === 0) return []
  const beginnings = { by: 'terms', terms, whole: false } as const
  return terms.length === 1 ? [beginnings] : [{ by: 'terms', terms, whole: true }, beginnings]
}

/**
 * What somebody types into the search box, over numbers, references, names, phones, postcodes and cities: the ways to
 * look for it, likeliest first; the first that finds something answers. Numbers are found however they are spaced, by
 * their beginning or their last digits, phones with or without their country code; `phoneOf` answers the E.164 number
 * that digits can be, or null. Empty: nothing to search for.
 */
export function parseSearch(input: string, trackingPrefix: string, phoneOf: (text: string) => string | null): Look[] {
  const term = input.trim().replace(/\s+/g, ' ').toLowerCase()
  if (term === '') return []
  const number = normalizeTrackingNumber(term)
  const typed = number.startsWith(trackingPrefix) ? number.slice(trackingPrefix.length) : ''
  if (/^\d{3,11}$/.test(typed)) {
    const padded = (digit: string) => `${trackingPrefix}${typed.padEnd(11, digit)}`
    return [{ by: 'number', from: padded('0'), to: padded('9') }, ...termsLooks(term)]
  }
  const digits = term.replace(/[^\d]/g, '')
  if (digits.length < 4 || !/^\+?[\d\s().-]+$/.test(term)) return [...termsLooks(term), { by: 'city', city: term }]
  const phone = phoneOf(term)
  const looks: Look[] = phone === null ? [] : [{ by: 'phone', phone }]
  looks.push({ by: 'digits', digits, part: digits.replace(/^0+(?=\d{4})/, '') })
  // As it stands, spaced or with strokes, it may be a part of a reference.
  if (term !== digits) looks.push(...termsLooks(term))
  return looks
}

/** What calculators round up to where no rate card is chosen yet: the step of the common cards. */
const calculatorStepGrams = 500

/** A size, and what the scale says when somebody has weighed it. */
export type Sized = Dimensions & { weightGrams?: number | undefined }

/** Volumetric and chargeable weight of a size; grams and mm. */
export function measureParcel(size: Sized, divisor: number) {
  const volumetric = volumetricGrams(size, divisor)
  return {
    volumetricGrams: volumetric,
    chargeableGrams: chargeableGrams(size.weightGrams ?? 0, volumetric, calculatorStepGrams),
    divisor,
    stepGrams: calculatorStepGrams,
  }
}

/** So long after a parcel was made its twin is asked about. */
export const identicalMinutes = 10
