/** The texts of the locale files. */
import { readFileSync } from 'node:fs'
import { fallbackLocale, type Locale, locales } from '@waybill/contract/ground/constants'
import type { Translate } from '@waybill/contract/ground/validation'
import { createInstance } from 'i18next'

/** One set of locale files serves the web, mails, PDFs and error messages. */
const localesFolder = new URL('../../../web/public/locales/', import.meta.url)

export type Translations = (locale: Locale) => Translate

/** Reads `locales/{en,cn_zh}/global.json` once. */
export function loadTranslations(): Translations {
  const resources = Object.fromEntries(
    locales.map((locale) => [
      locale,
      { global: JSON.parse(readFileSync(new URL(`${locale}/global.json`, localesFolder), 'utf8')) },
    ]),
  )
  const i18n = createInstance()
  void i18n.init({
    lng: fallbackLocale,
    fallbackLng: fallbackLocale,
    supportedLngs: [...locales],
    load: 'currentOnly',
    ns: ['global'],
    defaultNS: 'global',
    resources,
    initAsync: false,
    interpolation: { escapeValue: false },
  })
  const fixed = new Map(locales.map((locale) => [locale, i18n.getFixedT(locale) as unknown as Translate]))
  return (locale) => fixed.get(locale) as Translate
}

/** The language for an `Accept-Language` header: the first one that we support, any Chinese as cn_zh, else English. */
export function chooseLocale(acceptLanguage: string | undefined): Locale {
  if (!acceptLanguage) return fallbackLocale
  const requested = acceptLanguage
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const q = parameters.find((parameter) => parameter.trim().startsWith('q='))
      return { tag, quality: q ? Number(q.trim().slice(2)) || 0 : 1 }
    })
    .sort((a, b) => b.quality - a.quality)
  for (const { tag } of requested) {
    if (tag.startsWith('zh') || tag === 'cn_zh') return 'cn_zh'
    if (tag.startsWith('en')) return 'en'
  }
  return fallbackLocale
}
