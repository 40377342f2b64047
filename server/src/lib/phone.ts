/** Telephone numbers. */
import { type CountryCode, isSupportedCountry, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Facts of the library about a country that its types do not declare. */
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
 * A country that does not share its calling code. Numbers that begin with the code or with `0` are parsed without the
 * library, which is much faster.
 */
function quickPlan(country: string): Quick {
  const cachedPlan = quickPlans.get(country)
  if (cachedPlan !== undefined) return cachedPlan
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

/** The E.164 number of a text in the simplest form; null: undecided. */
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
 * Whether an E.164 number is valid in the country of its country code, whatever the country of an address. `guess`
 * (alpha-2, any case) is the country to which it probably belongs: a number of that country is checked faster.
 */
export function isPhone(e164: string, guess?: string): boolean {
  if (guess !== undefined && e164.startsWith('+') && quickly(e164, guess) === e164) return true
  return parsePhoneNumberFromString(e164)?.isValid() ?? false
}

/**
 * The E.164 number for digits as people type them in a country (alpha-2, any case). After `+` the country code decides.
 * Null if it is not a valid number.
 */
export function parsePhone(text: string, country: string): string | null {
  const quick = quickly(text, country)
  if (quick !== null) return quick
  const number = parsePhoneNumberFromString(text, country.toUpperCase() as CountryCode)
  return number?.isValid() ? number.number : null
}

/** A long number as a spreadsheet shortens it: `6.0123456789E+10`, or `1.23E+08`, whose last digits are lost. */
const shortened = /^\d(?:\.(\d+))?e\+?(\d{1,2})$/i

/** Whether a spreadsheet has shortened a long number, so that its last digits may be lost. */
export const isShortenedNumber = (text: string) => shortened.test(text.trim())

/**
 * The number that a text probably means: without the `+` of its country code, with a decimal part, shortened without
 * loss, or the first of several. Null: none of these.
 */
export function suggestPhone(text: string, country: string): string | null {
  const plain = text.normalize('NFKC').trim()
  const [, decimals = '', exponent] = shortened.exec(plain) ?? []
  if (exponent !== undefined && decimals.length < Number(exponent)) return null
  const number = exponent === undefined ? plain.replace(/^(\d+)\.0+$/, '$1') : Number(plain).toFixed(0)
  const [first = ''] = number.split(/[/,;|、，；\n]|\s(?:or|atau|dan|and)\s|或/i)
  return (
    parsePhone(number, country) ?? parsePhone(first, country) ?? parsePhone(`+${number.replace(/\D/g, '')}`, country)
  )
}

/** `parsePhone` with the country of the number (alpha-2, lower case), which is null if several share it. */
export function readPhone(text: string, country: string): { e164: string; country: string | null } | null {
  const number = parsePhoneNumberFromString(text, country.toUpperCase() as CountryCode)
  return number?.isValid() ? { e164: number.number, country: number.country?.toLowerCase() ?? null } : null
}

/** `+60123456789` -> `+60 12 345 6789`. An invalid number is returned unchanged. */
export function formatPhone(e164: string): string {
  const number = parsePhoneNumberFromString(e164)
  return number?.isValid() ? number.formatInternational() : e164
}
