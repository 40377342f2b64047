import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * Whether an E.164 number can exist in its country's numbering plan; with `country` (ISO 3166-1 alpha-2, any case), whether it belongs to that
 * country or to one that shares its calling code.
 */
export function isPhone(e164: string, country?: string): boolean {
  const number = parsePhoneNumberFromString(e164)
  if (!number?.isValid()) return false
  return country === undefined || number.getPossibleCountries().includes(country.toUpperCase() as CountryCode)
}

/** The E.164 number that somebody means by these digits in a country (alpha-2, any case), however they are spaced; null when there is none. */
export function phoneOf(text: string, country: string): string | null {
  const number = parsePhoneNumberFromString(text, country.toUpperCase() as CountryCode)
  return number?.isValid() ? number.number : null
}

/** `phoneOf` with the country that the number belongs to (alpha-2, lower case); null for one that several share. */
export function readPhone(text: string, country: string): { e164: string; country: string | null } | null {
  const number = parsePhoneNumberFromString(text, country.toUpperCase() as CountryCode)
  return number?.isValid() ? { e164: number.number, country: number.country?.toLowerCase() ?? null } : null
}
