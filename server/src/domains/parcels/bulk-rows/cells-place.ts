// Reads the receiver of a row: phone, email, and a place that is compared with its postcode.
import type { Party } from '@waybill/contract/addresses/addresses'
import { cityStateName, hasPostcode } from '@waybill/contract/ground/address-forms'
import type { BulkField } from '@waybill/contract/parcels/bulk'
import type { ParcelOverride } from '@waybill/contract/parcels/parcels'
import { isShortenedNumber, parsePhone, suggestPhone } from '../../../lib/phone.ts'
import { findContradictions } from '../../addresses/contradictions.ts'
import { cityFits, findState, hasPostcodes, lookupPostcode } from '../../stations/postcodes.ts'
import type { KeptProblem } from '../bulk/queries-rows.ts'

export type AddProblem = (
  column: BulkField,
  code: string,
  suggestion?: string | null,
  vars?: KeptProblem['vars'],
) => void

/** A problem of a cell, with a suggestion where there is one. */
export function cellProblem(...[column, code, suggestion, vars]: Parameters<AddProblem>): KeptProblem {
  return { column, code, ...(suggestion ? { suggestion } : {}), ...(vars ? { vars } : {}) }
}

/** A contradiction within an address, and the problem that it causes unless the sender overrides it. */
export type RowContradiction = { field: ParcelOverride['field']; problem: KeptProblem }

const senderFields = { state: 'sender.state', city: 'sender.city' } as const

const contradictionsBySender = new WeakMap<Party, RowContradiction[]>()

/** The contradictions of the sender's address. Many rows share a sender, so the result is cached. */
export function senderContradictions(sender: Party | null): readonly RowContradiction[] {
  if (!sender) return []
  const cached = contradictionsBySender.get(sender)
  if (cached) return cached
  const vars = { postcode: sender.postcode }
  const contradictions = findContradictions(sender).map(
    ({ field }): RowContradiction => ({
      field: senderFields[field],
      problem: { column: 'senderLabel', code: 'sender_mismatch', vars },
    }),
  )
  contradictionsBySender.set(sender, contradictions)
  return contradictions
}

/** A phone number as E.164. A number whose leading zero the spreadsheet dropped is a problem with a suggestion. */
export function readPhoneCell(text: string, country: string, addProblem: AddProblem, marked: boolean): string {
  if (text === '') {
    if (!marked) addProblem('phone', 'required')
    return ''
  }
  const phone = parsePhone(text, country)
  if (phone === null)
    addProblem('phone', isShortenedNumber(text) ? 'number_shortened' : 'phone_invalid', suggestPhone(text, country))
  else if (/^[^+\d]*[1-9]/.test(text) && !text.replace(/\D/g, '').startsWith(phone.slice(1, 3)))
    addProblem('phone', 'phone_lost_zero', phone)
  return phone ?? text.slice(0, 40)
}

/** An email address in lower case; null if the cell is empty, or too long, which is a separate problem. */
export function readEmailCell(text: string, addProblem: AddProblem): string | null {
  if (text === '' || text.length > 320) return null
  const email = text.toLowerCase()
  if (!/^[^\s@,;<>]+@[^\s@,;<>]+\.[a-z\d-]{2,}$/.test(email)) {
    const match = /[^\s@,;<>]+@[^\s@,;<>]+\.[a-z\d-]{2,}/.exec(email.replace(/，|,(?=[a-z]+$)/g, '.'))
    addProblem('email', 'email_invalid', match?.[0] ?? null)
  }
  return email
}

/** Finds a postcode in address texts: the last five digits that form one, because it precedes the town. Null: none. */
export function findPostcode(texts: readonly string[]): string | null {
  const numbers = texts.flatMap((text) => text.match(/(?<!\d)\d{5}(?!\d)/g) ?? [])
  return numbers.findLast((number) => lookupPostcode(number, 'my') !== undefined) ?? null
}

/** The place of a row, with its problems and contradictions. */
export type RowPlace = {
  fields: { postcode: string; city: string; state: string }
  problems: readonly KeptProblem[]
  contradictions: readonly RowContradiction[]
}

/** The maximum number of cached places per batch: many rows go to the same towns. */
const maxPlaces = 5000

/**
 * Postcode, city and state. An empty city or state is filled in if the postcode has only one; one that contradicts the
 * postcode is a contradiction with a suggestion. `lines`: the address, which is searched for a missing postcode.
 */
export function checkPlace(
  { places }: { places: Map<string, RowPlace> },
  postcode: string,
  city: string,
  state: string,
  country: string,
  lines: readonly string[] = [],
): RowPlace {
  // Only rows without a postcode depend on the address lines; all others share their place.
  const address = postcode === '' ? [...lines, city, state] : []
  const key = JSON.stringify([country, postcode, city, state, ...address])
  let place = places.get(key)
  if (!place) {
    place = readPlace(postcode, city, state, country, address)
    if (places.size < maxPlaces) places.set(key, place)
  }
  return place
}

function readPlace(
  postcode: string,
  cityCell: string,
  stateCell: string,
  country: string,
  address: readonly string[],
): RowPlace {
  const problems: KeptProblem[] = []
  const contradictions: RowContradiction[] = []
  const rest = { city: cityCell, state: stateCell }
  const addProblem: AddProblem = (column, code, suggestion, vars) =>
    problems.push(cellProblem(column, code, suggestion, vars))
  if (!hasPostcodes(country)) {
    const only = cityStateName(country) ?? ''
    const fields = { postcode, city: rest.city || only, state: rest.state || only }
    if (fields.city === '') addProblem('city', 'required')
    if (postcode === '' && hasPostcode(country)) addProblem('postcode', 'required')
    return { fields, problems, contradictions }
  }
  if (postcode === '') {
    const number = findPostcode(address)
    addProblem('postcode', number === null ? 'required' : 'postcode_in_address', number)
    return { fields: { postcode: '', ...rest }, problems, contradictions }
  }
  const place = lookupPostcode(postcode, country)
  if (!place) {
    const short = /^\d{3,4}$/.test(postcode)
    // A letter O typed for a zero, or the decimals of a number.
    const digits = postcode.replace(/o/gi, '0').replace(/\.0+$/, '').replace(/\D/g, '')
    const candidate = short ? postcode.padStart(5, '0') : digits
    const suggestion = candidate !== postcode && lookupPostcode(candidate, country) ? candidate : null
    addProblem('postcode', suggestion && short ? 'postcode_lost_zero' : 'postcode_unknown', suggestion)
    return { fields: { postcode: postcode.slice(0, 12), ...rest }, problems, contradictions }
  }
  const [first] = place.cities
  let { city } = rest
  if (city === '') {
    if (place.cities.length === 1 && first) city = first
    else addProblem('city', 'city_missing', first)
  } else if (!place.cities.includes(city) && !cityFits(city, place.state)) {
    const vars = { postcode, cities: place.cities.slice(0, 3) }
    contradictions.push({ field: 'receiver.city', problem: cellProblem('city', 'city_mismatch', first, vars) })
  }
  const state = rest.state === '' ? place.state : (findState(rest.state) ?? rest.state)
  if (state !== place.state) {
    const problem = cellProblem('state', 'state_mismatch', place.state, { postcode, state: place.state })
    contradictions.push({ field: 'receiver.state', problem })
  }
  return { fields: { postcode, city, state }, problems, contradictions }
}
