/** Who receives a row's parcel and where: telephone, e-mail, and a place held against its postcode. */

import type { Party } from '@waybill/contract/addresses/addresses'
import { cityStateName, hasPostcode } from '@waybill/contract/ground/address-forms'
import type { BulkField } from '@waybill/contract/parcels/bulk'
import type { ShippedAnyway } from '@waybill/contract/parcels/parcels'
import { parsePhone } from '../../../lib/phone.ts'
import { findContradictions } from '../../addresses/service.ts'
import { cityFits, findState, hasPostcodes, lookupPostcode } from '../../stations/postcodes.ts'
import type { KeptProblem } from '../bulk/queries.ts'

export type Tell = (column: BulkField, code: string, suggestion?: string | null, vars?: KeptProblem['vars']) => void

/** What is wrong with a cell, and what is probably meant. */
export function cellProblem(...[column, code, suggestion, vars]: Parameters<Tell>): KeptProblem {
  return { column, code, ...(suggestion ? { suggestion } : {}), ...(vars ? { vars } : {}) }
}

/** A contradiction of an address, and the problem that it is where nobody insists on it. */
type Contradiction = { field: ShippedAnyway['field']; problem: KeptProblem }

const senderFields = { state: 'sender.state', city: 'sender.city' } as const

const contradictory = new WeakMap<Party, Contradiction[]>()

/** What contradicts itself in the address that sends: one for many rows, and looked at once. */
export function senderContradictions(sender: Party | null): readonly Contradiction[] {
  if (!sender) return []
  const known = contradictory.get(sender)
  if (known) return known
  const vars = { postcode: sender.postcode }
  const found = findContradictions(sender).flatMap(({ field }): Contradiction[] =>
    field === 'postcode'
      ? []
      : [{ field: senderFields[field], problem: { column: 'senderLabel', code: 'sender_mismatch', vars } }],
  )
  contradictory.set(sender, found)
  return found
}

/** E.164; a number that a spreadsheet took its zero from is pointed out with what it was. */
export function readPhone(text: string, country: string, tell: Tell, marked: boolean): string {
  if (text === '') {
    if (!marked) tell('phone', 'required')
    return ''
  }
  const phone = parsePhone(text, country)
  if (phone === null) tell('phone', 'phone_invalid', parsePhone(`+${text.replace(/\D/g, '')}`, country))
  else if (/^[^+\d]*[1-9]/.test(text) && !text.replace(/\D/g, '').startsWith(phone.slice(1, 3)))
    tell('phone', 'phone_lost_zero', phone)
  return phone ?? text.slice(0, 40)
}

export function readEmail(text: string, tell: Tell): string | null {
  // Too long is said already.
  if (text === '' || text.length > 320) return null
  const email = text.toLowerCase()
  if (!/^[^\s@,;<>]+@[^\s@,;<>]+\.[a-z\d-]{2,}$/.test(email)) {
    const found = /[^\s@,;<>]+@[^\s@,;<>]+\.[a-z\d-]{2,}/.exec(email.replace(/，|,(?=[a-z]+$)/g, '.'))
    tell('email', 'email_invalid', found?.[0] ?? null)
  }
  return email
}

/** A place as a row says it, what is wrong with it, and in what it contradicts itself. */
export type Place = {
  said: { postcode: string; city: string; state: string }
  problems: readonly KeptProblem[]
  contradictions: readonly Contradiction[]
}

/** Places that are remembered: rows go to the same towns again and again. */
const mostPlaces = 5000

/**
 * Postcode, city and state: what is empty and can be only one thing is filled in, what contradicts the postcode is
 * pointed out with what fits.
 */
export function checkPlace(
  { places }: { places: Map<string, Place> },
  postcode: string,
  city: string,
  state: string,
  country: string,
): Place {
  const key = JSON.stringify([country, postcode, city, state])
  let place = places.get(key)
  if (!place) {
    place = readPlace(postcode, city, state, country)
    if (places.size < mostPlaces) places.set(key, place)
  }
  return place
}

function readPlace(written: string, writtenCity: string, writtenState: string, country: string): Place {
  const problems: KeptProblem[] = []
  const contradictions: Contradiction[] = []
  const rest = { city: writtenCity, state: writtenState }
  const tell: Tell = (column, code, suggestion, vars) => problems.push(cellProblem(column, code, suggestion, vars))
  if (!hasPostcodes(country)) {
    const only = cityStateName(country) ?? ''
    const said = { postcode: written, city: rest.city || only, state: rest.state || only }
    if (said.city === '') tell('city', 'required')
    if (written === '' && hasPostcode(country)) tell('postcode', 'required')
    return { said, problems, contradictions }
  }
  if (written === '') {
    tell('postcode', 'required')
    return { said: { postcode: '', ...rest }, problems, contradictions }
  }
  const place = lookupPostcode(written, country)
  if (!place) {
    const padded = /^\d{3,4}$/.test(written) ? written.padStart(5, '0') : written.replace(/\D/g, '')
    const known = padded !== written && lookupPostcode(padded, country) ? padded : null
    tell('postcode', known && /^\d{3,4}$/.test(written) ? 'postcode_lost_zero' : 'postcode_unknown', known)
    return { said: { postcode: written.slice(0, 12), ...rest }, problems, contradictions }
  }
  const [first] = place.cities
  let { city } = rest
  if (city === '') {
    if (place.cities.length === 1 && first) city = first
    else tell('city', 'city_missing', first)
  } else if (!place.cities.includes(city) && !cityFits(city, place.state)) {
    const vars = { postcode: written, cities: place.cities.slice(0, 3).join(', ') }
    contradictions.push({ field: 'receiver.city', problem: cellProblem('city', 'city_mismatch', first, vars) })
  }
  const state = rest.state === '' ? place.state : (findState(rest.state) ?? rest.state)
  if (state !== place.state) {
    const vars = { postcode: written, state: place.state }
    const problem = cellProblem('state', 'state_mismatch', place.state, vars)
    contradictions.push({ field: 'receiver.state', problem })
  }
  return { said: { postcode: written, city, state }, problems, contradictions }
}
