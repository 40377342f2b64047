import { type CountryCode, isSupportedCountry, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** What the library knows of a country and doesn't say in its types. */
type Plan = {
  callingCode(): string
  nationalPrefix(): string | undefined
  nationalPrefixForParsing(): string | undefined
  nationalPrefixTransformRule(): string | undefined
  nationalNumberPattern(): string
}
type Quick = { start: RegExp; code: string; national: RegExp } | null

const quickPlans = new Map<string, Quick>()

/**
 * A country whose calling code is its own, and whose numbers begin with it or with a plain `0`: most are written so,
 * and are read without the library.
 */
function quickPlan(country: string): Quick {
  const known = quickPlans.get(country)
  if (known !== undefined) return known
  let quick: Quick = null
  const metadata = new Metadata()
  if (isSupportedCountry(country.toUpperCase() as CountryCode)) {
    metadata.selectNumberingPlan(country.toUpperCase() as CountryCode)
    const plan = metadata.numberingPlan as unknown as Plan
    const code = plan.callingCode()
    const countries = (
      metadata as unknown as { getCountryCodesForCallingCode(code: string): string[] | undefined }
    ).getCountryCodesForCallingCode(code)
    const plain = plan.nationalPrefix() === '0' && [undefined, '0'].includes(plan.nationalPrefixForParsing())
    if (countries?.length === 1 && plain && !plan.nationalPrefixTransformRule()) {
      quick = {
        start: new RegExp(`^(?:\\+${code}|0)`),
        code,
        national: new RegExp(`^(?:${plan.nationalNumberPattern()})$`),
      }
    }
  }
  quickPlans.set(country, quick)
  return quick
}

/** E.164 of a number that is written as plainly as can be; null says nothing. */
function quickly(text: string, country: string): string | null {
  const plan = quickPlan(country.toLowerCase())
  if (!plan || text.length > 24) return null
  const digits = text.replace(/[ -]/g, '')
  const start = plan.start.exec(digits)?.[0]
  if (start === undefined) return null
  const national = digits.slice(start.length)
  return plan.national.test(national) ? `+${plan.code}${national}` : null
}

/**
 * Whether an E.164 number can exist in its country's numbering plan; with `country` (ISO 3166-1 alpha-2, any case),
 * whether it belongs to that country or to one that shares its calling code.
 */
export function isPhone(e164: string, country?: string): boolean {
  if (country !== undefined && e164.startsWith('+') && quickly(e164, country) === e164) return true
  const number = parsePhoneNumberFromString(e164)
  if (!number?.isValid()) return false
  return country === undefined || number.getPossibleCountries().includes(country.toUpperCase() as CountryCode)
}

/**
 * The E.164 number that somebody means by these digits in a country (alpha-2, any case), however they are spaced; null
 * when there is none.
 */
export function parsePhone(text: string, country: string): string | null {
  const quick = quickly(text, country)
  if (quick !== null) return quick
  const number = parsePhoneNumberFromString(text, country.toUpperCase() as CountryCode)
  return number?.isValid() ? number.number : null
}

/** `phoneOf` with the country that the number belongs to (alpha-2, lower case); null for one that several share. */
export function readPhone(text: string, country: string): { e164: string; country: string | null } | null {
  const number = parsePhoneNumberFromString(text, country.toUpperCase() as CountryCode)
  return number?.isValid() ? { e164: number.number, country: number.country?.toLowerCase() ?? null } : null
}

/** `+60123456789` -> `+60 12 345 6789`. A text that is no valid number comes back unchanged. */
export function formatPhone(e164: string): string {
  const number = parsePhoneNumberFromString(e164)
  return number?.isValid() ? number.formatInternational() : e164
}
