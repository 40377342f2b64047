/** Rules of addresses. */

import type { Party } from '@waybill/contract/addresses/addresses'

/**
 * The words that an address must contain in its search text, which is in lower case. A telephone number is found in any
 * notation, by its digits without leading zero or plus.
 */
export function listSearchWords(search: string): string[] {
  const text = search.trim().toLowerCase()
  if (text === '') return []
  return /^\+?[\d\s().-]+$/.test(text) ? [phoneDigits(text)] : text.split(/\s+/)
}

/**
 * `012-345 6789` and `+60 12-345 6789` -> the digits they share with `+60123456789`. `05000` keeps its zero, because
 * it is a postcode.
 */
function phoneDigits(text: string): string {
  const digits = text.replace(/\D/g, '')
  // A search for zeros only keeps them, or it would match every address.
  return digits.length > 6 ? digits.replace(/^0+(?=[1-9])/, '') : digits || text
}

/** What the postcode data says about an address. */
export type KnownPlace = {
  /** State and cities of the postcode; null if it does not exist. */
  postcode: { state: string; cities: readonly string[] } | null
  /** The official name of the entered state; null if unknown. */
  state: string | null
  /** Whether the entered city can be in the postcode's state. */
  cityFits: boolean
}

export type PlaceProblem = {
  field: 'postcode' | 'state' | 'city'
  code: 'postcode_unknown' | 'city_mismatch'
  rule: 'postcodeUnknown' | 'stateMismatch' | 'cityMismatch'
  vars?: Record<string, string | readonly string[]>
}

/**
 * Contradictions in an address of a country with known postcodes. The state must be the postcode's. The city is free
 * text, because townships and villages are on no list; only a city that is known solely in other states is refused,
 * with the postcode's cities in the message.
 */
export function placeProblems({ postcode }: Pick<Party, 'postcode'>, place: KnownPlace): PlaceProblem[] {
  if (!place.postcode) return [{ field: 'postcode', code: 'postcode_unknown', rule: 'postcodeUnknown' }]
  const problems: PlaceProblem[] = []
  const { state, cities } = place.postcode
  if (place.state !== state) {
    problems.push({ field: 'state', code: 'city_mismatch', rule: 'stateMismatch', vars: { postcode, state } })
  }
  if (!place.cityFits) {
    const vars = { postcode, cities }
    problems.push({ field: 'city', code: 'city_mismatch', rule: 'cityMismatch', vars })
  }
  return problems
}
