/** Countries of ISO 3166-1: names and codes. */
import type { Locale } from '@waybill/contract/ground/constants'
import countries from 'i18n-iso-countries/index.js'
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import chinese from 'i18n-iso-countries/langs/zh.json' with { type: 'json' }

// The package's own entry point would load all of its eighty languages.
countries.registerLocale(english)
countries.registerLocale(chinese)

const codes = Object.keys(countries.getAlpha2Codes()).map((code) => code.toLowerCase())

/** The name of a country; its code if ISO 3166 does not list it. `code` is alpha-2 in any case. */
export function countryName(code: string, locale: Locale): string {
  return countries.getName(code, locale === 'cn_zh' ? 'zh' : 'en') ?? code
}

/** Every country of ISO 3166-1 by English name, in the form of the specification: `Malaysia|my`. */
export const everyCountry: readonly string[] = codes
  .map((code) => `${countryName(code, 'en')}|${code}`)
  .sort((a, b) => a.localeCompare(b, 'en'))

const codeByName = new Map(
  codes.flatMap((code) => [
    [countryName(code, 'en').toLowerCase(), code] as const,
    [countryName(code, 'cn_zh').toLowerCase(), code] as const,
  ]),
)

/**
 * The code (alpha-2, lower case) of a country by its English or Chinese name, case-insensitive; null if there is none.
 */
export function findCountryCode(name: string): string | null {
  return codeByName.get(name.trim().toLowerCase()) ?? null
}
