import type { Party } from '@waybill/contract/addresses/addresses'

/**
 * What somebody types into the search of an address book -> patterns for `like` over the search text, which is in lower
 * case; all must match. A telephone number is found however it is written: its digits alone count, without the zero or
 * plus before them.
 */
export function searchPatterns(search: string): string[] {
  const typed = search.trim().toLowerCase()
  if (typed === '') return []
  const words = /^\+?[\d\s().-]+$/.test(typed) ? [phoneDigits(typed)] : typed.split(/\s+/)
  return words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}

/**
 * `012-345 6789` and `+60 12-345 6789` -> what both have in common with `+60123456789`. A postcode keeps what it has:
 * `05000` is in no number.
 */
function phoneDigits(typed: string): string {
  const digits = typed.replace(/\D/g, '')
  return digits.length > 6 ? digits.replace(/^0+/, '') : digits || typed
}

/** What the postcode data says of the place that somebody wrote, as stations know it. */
export type KnownPlace = {
  /** The state that the postcode is in, with its towns there; null for a postcode that doesn't exist. */
  postcode: { state: string; cities: readonly string[] } | null
  /** The state that was written, by its one name; null when it is none. */
  state: string | null
  /** Whether the town that was written can be in the postcode's state. */
  cityFits: boolean
}

export type PlaceProblem = {
  field: 'postcode' | 'state' | 'city'
  code: 'postcode_unknown' | 'city_mismatch'
  rule: 'postcodeUnknown' | 'stateMismatch' | 'cityMismatch'
  vars?: Record<string, string>
}

/**
 * What contradicts itself in an address of a country whose postcodes are known. The state has to be the postcode's. The
 * town is free text, since people write townships and villages that no list has; only one that is in other states alone
 * is refused, naming those that belong to the postcode.
 */
export function placeProblems({ postcode }: Pick<Party, 'postcode'>, known: KnownPlace): PlaceProblem[] {
  if (!known.postcode) return [{ field: 'postcode', code: 'postcode_unknown', rule: 'postcodeUnknown' }]
  const problems: PlaceProblem[] = []
  const { state, cities } = known.postcode
  if (known.state !== state) {
    problems.push({ field: 'state', code: 'city_mismatch', rule: 'stateMismatch', vars: { postcode, state } })
  }
  if (!known.cityFits) {
    const vars = { postcode, cities: cities.join(', ') }
    problems.push({ field: 'city', code: 'city_mismatch', rule: 'cityMismatch', vars })
  }
  return problems
}
