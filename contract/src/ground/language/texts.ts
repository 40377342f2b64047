/**
 * Reads the texts of `web/public/locales/{en,cn_zh}`, for web, server and journeys: nested keys, `{{name}}` and plurals
 * by `count`.
 */
import { intlLocale, type Locale } from '../constants.ts'

export type Texts = { [key: string]: string | Texts }

/**
 * The text under `a.b.c`, or its plural form for `vars.count`. `_one` is the text for exactly one in every language:
 * Chinese has no singular, but a message about one parcel names its number.
 */
export function findText(
  texts: Texts | undefined,
  locale: Locale,
  key: string,
  vars: Record<string, unknown> = {},
): string | undefined {
  const single = at(texts, key)
  if (single !== undefined || typeof vars.count !== 'number') return single
  const forOne = vars.count === 1 ? at(texts, `${key}_one`) : undefined
  return forOne ?? at(texts, `${key}_${new Intl.PluralRules(intlLocale(locale)).select(vars.count)}`)
}

function at(texts: Texts | undefined, key: string): string | undefined {
  const value = key.split('.').reduce<unknown>((here, part) => (here as Texts | undefined)?.[part], texts)
  return typeof value === 'string' ? value : undefined
}

/** Between Chinese characters and full-width punctuation there is no space. */
const noSpace = /(?<=[\p{sc=Han}、-〟！-～]) ?\ue000+ ?(?=[\p{sc=Han}、-〟！-～])/gu
const oneSpace =
  /(?<=\p{sc=Han})\ue000+(?=[\p{sc=Latin}\p{Sc}\d+(#@\u2212-])|(?<=[\p{sc=Latin}\p{Sc}\d%).!?+])\ue000+(?=\p{sc=Han})/gu

/**
 * Replaces `{{name}}`, and `%field%` by `vars.field`; a placeholder without a value stays. Next to Chinese characters,
 * a value in Latin letters or digits gets one space, and a Chinese value gets none, whatever the text contains there.
 */
export function fillText(text: string, vars: Record<string, unknown>): string {
  // A character for private use marks both ends of each value until the spaces are right.
  return text
    .replace(/\{\{(\w+)\}\}|%field%/g, (whole, name = 'field') => (name in vars ? `\ue000${vars[name]}\ue000` : whole))
    .replace(/ \ue000\ue000 /g, ' \ue000')
    .replace(noSpace, '')
    .replace(oneSpace, ' ')
    .replaceAll('\ue000', '')
}
