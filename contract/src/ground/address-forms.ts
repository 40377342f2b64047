import * as z from 'zod/mini'
import { lookup } from './enums.ts'

/**
 * How addresses are written in a country: what they have and what they have not. Countries are ISO 3166-1 alpha-2 in
 * lower case.
 */

/** Countries and territories that have no postcodes. */
const withoutPostcode = new Set(
  (
    'ae ag ao aw bf bi bj bo bs bw bz cd cf cg ci ck cm cw dj dm er fj ga gd gh gm gq gy hk jm ki km kn kp ly ml mo mr mw nr nu om pa qa rw sb sc sl ' +
    'so sr ss st sy tf td tg tk tl to tt tv ug vu ye zw'
  ).split(' '),
)

/** The form of a postcode where it is known; elsewhere any letters and digits do. */
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

/** Where the state or province is a part of every address. */
const withState = new Set('au br ca cn in id it jp kr mx my ng ph th us vn'.split(' '))

/** Countries that are one city. */
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
/** Whether only digits stand in the country's postcodes: which keyboard a telephone shows. */
export const digitsOnly = (country: string): boolean =>
  /^\^[\\d{}$\d(),?]+$/.test(lookup(patterns, country)?.source ?? '')

/** Whether a postcode can be one of this country. */
export function fitsPostcode(postcode: string, country: string): boolean {
  return lookup(patterns, country)?.test(postcode) ?? true
}

type Placed = { postcode: string; state: string; country: string }

/** What the country's addresses need beside what all need; it speaks up also while other fields are still wrong. */
/* @__NO_SIDE_EFFECTS__ */
const told = (rule: string, field: 'postcode' | 'state', holds: (value: Placed) => boolean) =>
  z.refine<Placed>(
    (value) =>
      typeof value?.country !== 'string' || typeof value.postcode !== 'string' || typeof value.state !== 'string'
        ? true
        : holds(value),
    { path: [field], params: { rule }, when: () => true },
  )

/** A postcode and a state where the country has them, the postcode in its form. */
export const countryChecks = [
  told('required', 'postcode', ({ postcode, country }) => postcode.trim() !== '' || !hasPostcode(country)),
  told(
    'postcodeForm',
    'postcode',
    ({ postcode, country }) => postcode.trim() === '' || fitsPostcode(postcode.trim(), country),
  ),
  told('required', 'state', ({ state, country }) => state.trim() !== '' || !hasState(country)),
] as const
