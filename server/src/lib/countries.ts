/** Countries of ISO 3166-1: names and codes. */
import type { Locale } from '@waybill/contract/ground/constants'
import type countries from 'i18n-iso-countries'
import { lazyPackage } from './packages/lazy-package.ts'

type Countries = {
  names: Pick<typeof countries, 'getName'>
  /** `Malaysia|my`, by English name. */
  list: readonly string[]
  /** Alpha-2 codes in lower case, by English and Chinese names in lower case. */
  codeByName: ReadonlyMap<string, string>
}

// The package's own entry point would load all of its eighty languages.
const loadPackage = lazyPackage<typeof countries>('i18n-iso-countries/index.js')
const loadLanguages = (['en', 'zh'] as const).map((language) =>
  lazyPackage<countries.LocaleData>(`i18n-iso-countries/langs/${language}.json`),
)
let loaded: Countries | undefined

function loadCountries(): Countries {
  if (loaded) return loaded
  const names = loadPackage()
  for (const loadLanguage of loadLanguages) names.registerLocale(loadLanguage())
  const codes = Object.keys(names.getAlpha2Codes()).map((code) => code.toLowerCase())
  const getName = (code: string, language: string) => names.getName(code, language) ?? code
  loaded = {
    names,
    list: codes.map((code) => `${getName(code, 'en')}|${code}`).sort((a, b) => a.localeCompare(b, 'en')),
    codeByName: new Map(
      codes.flatMap((code) => ['en', 'zh'].map((language) => [getName(code, language).toLowerCase(), code] as const)),
    ),
  }
  return loaded
}

/** The name of a country; its code if ISO 3166 does not list it. `code` is alpha-2 in any case. */
export function countryName(code: string, locale: Locale): string {
  return loadCountries().names.getName(code, locale === 'cn_zh' ? 'zh' : 'en') ?? code
}

/** Every country of ISO 3166-1 by English name, in the form of the specification: `Malaysia|my`. */
export function listCountries(): readonly string[] {
  return loadCountries().list
}

/**
 * The code (alpha-2, lower case) of a country by its English or Chinese name, case-insensitive; null if there is none.
 */
export function findCountryCode(name: string): string | null {
  return loadCountries().codeByName.get(name.trim().toLowerCase()) ?? null
}
