import { readFileSync } from 'node:fs'
import type { Locale } from '@waybill/contract/ground/constants'
import { fillText, findText, type Texts } from '@waybill/contract/ground/language/texts'

/** A text of the locale files in the project's language, so that one journey runs in both languages. */
export type Text = (key: string, vars?: Record<string, string | number>) => string

const locales = new URL('../../web/public/locales/', import.meta.url)

/** The texts of a language. */
export function getTexts(language: Locale): Text {
  const texts = JSON.parse(readFileSync(new URL(`${language}/global.json`, locales), 'utf8')) as Texts
  return (key, vars = {}) => {
    const value = findText(texts, language, key, vars)
    if (value === undefined) throw new Error(`no text ${key} in ${language}`)
    return fillText(value, vars)
  }
}
