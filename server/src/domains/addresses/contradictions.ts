/**
 * Cities and states that contradict their postcode, and users' overrides of that: for parcels and the address book.
 */
import type { ContradictoryField, Party } from '@waybill/contract/addresses/addresses'
import { cityFits, findState, hasPostcodes, lookupPostcode } from '../stations/postcodes.ts'
import { type PlaceProblem, placeProblems } from './rules.ts'

/** A city or state that does not match the postcode. `written` is its text. */
export type Contradiction = Omit<PlaceProblem, 'field'> & {
  field: ContradictoryField
  written: string
  postcode: string
}

/**
 * An overridden contradiction. It is valid for this text and this postcode only: if either changes, the contradiction
 * must be confirmed again. `by` is null for a receiver without an account.
 */
export type Override<F extends string = ContradictoryField, By = string | null> = {
  field: F
  written: string
  postcode: string
  by: By
  at: string
}

/**
 * State and city, if they contradict the postcode. Empty for countries without known postcodes, and for a postcode that
 * does not exist.
 */
export function findContradictions(party: Pick<Party, 'postcode' | 'state' | 'city' | 'country'>): Contradiction[] {
  const postcode = hasPostcodes(party.country) ? lookupPostcode(party.postcode, party.country) : null
  if (!postcode) return []
  const problems = placeProblems(party, {
    postcode,
    state: findState(party.state),
    cityFits: postcode.cities.includes(party.city) || cityFits(party.city, postcode.state),
  })
  return problems.flatMap(({ field, ...problem }) =>
    field === 'postcode' ? [] : [{ ...problem, field, written: party[field], postcode: party.postcode }],
  )
}

type Occurrence<F extends string> = { field: F; written: string; postcode: string }

const isSame = <F extends string>(one: Occurrence<F>, other: Occurrence<F>) =>
  one.field === other.field && one.written === other.written && one.postcode === other.postcode

/** The overrides to store: earlier ones whose text has not changed, and those in this request (`fields`). */
export function keepOverrides<F extends string, By>(
  contradictions: readonly Occurrence<F>[],
  request: { fields: readonly F[]; by: By; at: Date },
  before: readonly Override<F, By>[],
): Override<F, By>[] {
  return contradictions.flatMap((contradiction) => {
    const earlier = before.find((one) => isSame(one, contradiction))
    if (earlier) return [earlier]
    if (!request.fields.includes(contradiction.field)) return []
    const { field, written: text, postcode } = contradiction
    return [{ field, written: text, postcode, by: request.by, at: request.at.toISOString() }]
  })
}

/** The contradictions that have not been overridden. */
export function withoutOverridden<C extends Occurrence<string>>(
  contradictions: readonly C[],
  overrides: readonly Occurrence<string>[],
): C[] {
  return contradictions.filter((contradiction) => !overrides.some((one) => isSame(one, contradiction)))
}
