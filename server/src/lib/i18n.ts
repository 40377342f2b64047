/** The texts of the locale files. */
import { readFileSync } from 'node:fs'
import { fallbackLocale, type Locale, locales } from '@waybill/contract/ground/constants'
import { type Label, labelIn } from '@waybill/contract/ground/enums/labels'
import { formatList } from '@waybill/contract/ground/format'
import { fillText, findText, type Texts } from '@waybill/contract/ground/language/texts'
import type { Translate } from '@waybill/contract/ground/validation'
import { showErased } from './text/erased.ts'

/** One set of locale files serves the web, mails, PDFs and error messages. */
const localesFolder = new URL('../../../web/public/locales/', import.meta.url)

export type Translations = (locale: Locale) => Translate

/** A text in both languages, for an error or a stored problem whose reader is not known yet. */
export const inBothLanguages = (write: (locale: Locale) => string): Label => [write('en'), write('cn_zh')]

/** The labels in the reader's language. */
export function labelsIn(labels: Readonly<Record<string, Label>> | undefined, locale: Locale): Record<string, string> {
  return Object.fromEntries(Object.entries(labels ?? {}).map(([name, label]) => [name, labelIn(label, locale)]))
}

/** An array among the variables becomes an enumeration with the punctuation of the language. */
function enumerate(vars: Record<string, unknown>, locale: Locale): Record<string, unknown> {
  const entries = Object.entries(vars)
  if (!entries.some(([, value]) => Array.isArray(value))) return vars
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? formatList(value.map(String), locale) : value]),
  )
}

/** Reads `locales/{en,cn_zh}/global.json` once. A text that is missing is taken from the English ones. */
export function loadTranslations(): Translations {
  const texts = Object.fromEntries(
    locales.map((locale) => [
      locale,
      JSON.parse(readFileSync(new URL(`${locale}/global.json`, localesFolder), 'utf8')) as Texts,
    ]),
  ) as Record<Locale, Texts>
  const translations: ReadonlyMap<Locale, Translate> = new Map(
    locales.map((locale): [Locale, Translate] => [
      locale,
      (key, vars = {}) => {
        const text = (language: Locale) => findText(texts[language], language, key, vars)
        const full = fillText(
          text(locale) ?? text(fallbackLocale) ?? String(vars.defaultValue ?? key),
          enumerate(vars, locale),
        )
        return showErased(full, translations.get(locale) as Translate)
      },
    ]),
  )
  return (locale) => translations.get(locale) as Translate
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
