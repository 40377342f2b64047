/** Address rules by country: postcodes, states, city-states. Countries are ISO 3166-1 alpha-2 in lower case. */
import * as z from 'zod/mini'
import { lookup } from './enums/labels.ts'

/** Countries and territories that have no postcodes. */
const withoutPostcode = new Set(
  (
    'ae ag ao aw bf bi bj bo bs bw bz cd cf cg ci ck cm cw dj dm er fj ga gd gh gm gq gy hk jm ' +
    'ki km kn kp ly ml mo mr mw nr nu om pa qa rw sb sc sl ' +
    'so sr ss st sy tf td tg tk tl to tt tv ug vu ye zw'
  ).split(' '),
)

/** The format of postcodes by country. A country that is not listed accepts any letters and digits. */
const patterns: Readonly<Record<string, RegExp>> = {
  au: /^\d{4}$/,
  bn: /^[A-Z]{2}\d{4}$/i,
  ca: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
  cn: /^\d{6}$/,
  de: /^\d{5}$/,
  es: /^\d{5}$/,
  fr: /^\d{5}$/,
  gb: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i,
  id: /^\d{5}$/,
  in: /^\d{3} ?\d{3}$/,
  it: /^\d{5}$/,
  jp: /^\d{3}-?\d{4}$/,
  kr: /^\d{5}$/,
  my: /^\d{5}$/,
  nl: /^\d{4} ?[A-Z]{2}$/i,
  nz: /^\d{4}$/,
  ph: /^\d{4}$/,
  sg: /^\d{6}$/,
  th: /^\d{5}$/,
  tw: /^\d{3}(\d{2,3})?$/,
  us: /^\d{5}(-\d{4})?$/,
  vn: /^\d{5,6}$/,
}

/** Countries whose addresses always include a state or province. */
const withState = new Set('au br ca cn in id it jp kr mx my ng ph th us vn'.split(' '))

/** City-states, with the name that serves as town and state. */
const cityStates: Readonly<Record<string, string>> = {
  sg: 'Singapore',
  hk: 'Hong Kong',
  mo: 'Macao',
  mc: 'Monaco',
}

/** The value used for town and state in a city-state such as Singapore; undefined for other countries. */
export const cityStateName = (country: string): string | undefined => lookup(cityStates, country)
export const hasPostcode = (country: string): boolean => !withoutPostcode.has(country)
export const hasState = (country: string): boolean => withState.has(country)
/** Whether the country's postcodes contain only digits: a phone then shows its numeric keyboard. */
export const digitsOnly = (country: string): boolean =>
  /^\^[\\d{}$\d(),?]+$/.test(lookup(patterns, country)?.source ?? '')

/** Whether a postcode matches the format of this country. */
export function fitsPostcode(postcode: string, country: string): boolean {
  return lookup(patterns, country)?.test(postcode) ?? true
}

type AddressPlace = { postcode: string; state: string; country: string }

/**
 * One rule that depends on the country. It also runs while other fields are invalid, so that all problems appear at
 * once.
 */
/* @__NO_SIDE_EFFECTS__ */
const countryCheck = (rule: string, field: 'postcode' | 'state', holds: (value: AddressPlace) => boolean) =>
  z.refine<AddressPlace>(
    (value) =>
      typeof value?.country !== 'string' || typeof value.postcode !== 'string' || typeof value.state !== 'string'
        ? true
        : holds(value),
    { path: [field], params: { rule }, when: () => true },
  )

/** A postcode in the format of the country, and a state, wherever the country uses them. */
export const countryChecks = [
  countryCheck('required', 'postcode', ({ postcode, country }) => postcode.trim() !== '' || !hasPostcode(country)),
  countryCheck(
    'postcodeForm',
    'postcode',
    ({ postcode, country }) => postcode.trim() === '' || fitsPostcode(postcode.trim(), country),
  ),
  countryCheck('required', 'state', ({ state, country }) => state.trim() !== '' || !hasState(country)),
] as const
