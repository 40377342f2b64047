/** Checks the address and the telephone number of a station. */
import type { StationInput } from '@waybill/contract/stations/manage'
import type { FieldProblem } from '../../../http/errors.ts'
import { isPhone } from '../../../lib/phone.ts'
import { findState, hasPostcodes, lookupPostcode } from '../postcodes.ts'

type StationAddress = Pick<StationInput, 'country' | 'postcode' | 'state' | 'phone'>

/** The official name of a state ("Penang" is "Pulau Pinang"); any other text unchanged. */
export function officialState({ country, state }: Pick<StationAddress, 'country' | 'state'>): string {
  return hasPostcodes(country) ? (findState(state) ?? state) : state
}

/** Problems of the address and the telephone number. A postcode of an unknown country is accepted unchecked. */
export function stationPlaceProblems({ country, postcode, state, phone }: StationAddress): FieldProblem[] {
  const problems: FieldProblem[] = isPhone(phone) ? [] : [{ field: 'phone', rule: 'phone' }]
  if (!hasPostcodes(country)) return problems
  const place = lookupPostcode(postcode, country)
  if (!place) problems.push({ field: 'postcode', rule: 'postcodeUnknown' })
  else if (officialState({ country, state }) !== place.state) {
    problems.push({ field: 'state', rule: 'stateMismatch', vars: { postcode, state: place.state } })
  }
  return problems
}
