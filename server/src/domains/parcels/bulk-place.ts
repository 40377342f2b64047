/** Who receives a row's parcel and where: telephone, e-mail, and a place held against its postcode. */
import { cityStates, hasPostcode } from '@waybill/contract/address-forms'
import type { Party } from '@waybill/contract/addresses'
import type { BulkField } from '@waybill/contract/bulk'
import type { ShippedAnyway } from '@waybill/contract/parcels'
import { phoneOf } from '../../lib/phone.ts'
import { contradictionsOf } from '../addresses/service.ts'
import { cityFits, hasPostcodes, lookupPostcode, stateNamed } from '../stations/service.ts'
import type { KeptProblem } from './queries-bulk.ts'

export type Tell = (column: BulkField, code: string, suggestion?: string | null, vars?: KeptProblem['vars']) => void
/** A contradiction of an address, and how it is told where nobody insists on it. */
type Contradiction = { field: ShippedAnyway['field']; tellIt: () => void }

const senderFields = { state: 'sender.state', city: 'sender.city' } as const

export function senderContradictions(sender: Party | null, tell: Tell): Contradiction[] {
  if (!sender) return []
  return contradictionsOf(sender).flatMap(({ field }): Contradiction[] =>
    field === 'postcode'
      ? []
      : [
          {
            field: senderFields[field],
            tellIt: () => tell('senderLabel', 'sender_mismatch', null, { postcode: sender.postcode }),
          },
        ],
  )
}

/** E.164; a number that a spreadsheet took its zero from is pointed out with what it was. */
export function readPhone(text: string, country: string, tell: Tell, marked: boolean): string {
  if (text === '') {
    if (!marked) tell('phone', 'required')
    return ''
  }
  const phone = phoneOf(text, country)
  if (phone === null) tell('phone', 'phone_invalid', phoneOf(`+${text.replace(/\D/g, '')}`, country))
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

type Place = { said: { postcode: string; city: string; state: string }; contradictions: Contradiction[] }

/** Postcode, city and state: what is empty and can be only one thing is filled in, what contradicts the postcode is pointed out with what fits. */
export function readPlace(at: (field: BulkField) => string, country: string, tell: Tell): Place {
  const written = at('postcode')
  const rest = { city: at('city'), state: at('state') }
  const contradictions: Contradiction[] = []
  if (!hasPostcodes(country)) {
    const only = cityStates[country] ?? ''
    const said = { postcode: written, city: rest.city || only, state: rest.state || only }
    if (said.city === '') tell('city', 'required')
    if (written === '' && hasPostcode(country)) tell('postcode', 'required')
    return { said, contradictions }
  }
  if (written === '') {
    tell('postcode', 'required')
    return { said: { postcode: '', ...rest }, contradictions }
  }
  const place = lookupPostcode(written, country)
  if (!place) {
    const padded = /^\d{3,4}$/.test(written) ? written.padStart(5, '0') : written.replace(/\D/g, '')
    const known = padded !== written && lookupPostcode(padded, country) ? padded : null
    tell('postcode', known && /^\d{3,4}$/.test(written) ? 'postcode_lost_zero' : 'postcode_unknown', known)
    return { said: { postcode: written.slice(0, 12), ...rest }, contradictions }
  }
  const [first] = place.cities
  let { city } = rest
  if (city === '') {
    if (place.cities.length === 1 && first) city = first
    else tell('city', 'city_missing', first)
  } else if (!place.cities.includes(city) && !cityFits(city, place.state)) {
    const vars = { postcode: written, cities: place.cities.slice(0, 3).join(', ') }
    contradictions.push({ field: 'receiver.city', tellIt: () => tell('city', 'city_mismatch', first, vars) })
  }
  const state = rest.state === '' ? place.state : (stateNamed(rest.state) ?? rest.state)
  if (state !== place.state) {
    const vars = { postcode: written, state: place.state }
    contradictions.push({
      field: 'receiver.state',
      tellIt: () => tell('state', 'state_mismatch', place.state, vars),
    })
  }
  return { said: { postcode: written, city, state }, contradictions }
}
