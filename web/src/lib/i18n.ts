import { fallbackLocale, intlLocale, type Locale, locales } from '@waybill/contract/ground/constants'
import type { Translate } from '@waybill/contract/ground/validation'
import { useSyncExternalStore } from 'react'
import { loadChineseFont } from './browser/chinese-font.ts'
import { languageKey, local } from './browser/storage.ts'

/*
 * The translation function. Reads `/locales/{en,cn_zh}/global.json` with the syntax of i18next, which the server uses:
 * nested keys, `{{name}}`, plurals by `count`, English as the fallback. It is our own because i18next adds 18 kB, a
 * fifth of a page's budget (decision 0005).
 */
type Texts = { [key: string]: string | Texts }

const textsByLocale = new Map<Locale, Texts>()
const listeners = new Set<() => void>()
let language: Locale = fallbackLocale
let translate: Translate = (key) => key

/** The saved language, or the fallback. */
export function savedLanguage(): Locale {
  const savedLocale = local.get(languageKey)
  return locales.find((locale) => locale === savedLocale) ?? fallbackLocale
}

/** Loads the texts. Await it before the first render. */
export async function startI18n(locale: Locale = savedLanguage()): Promise<void> {
  await apply(locale)
}

/** Changes the language everywhere and saves it. */
export async function setLanguage(locale: Locale): Promise<void> {
  local.set(languageKey, locale)
  await apply(locale)
}

async function apply(locale: Locale): Promise<void> {
  // English is loaded as well: it fills in texts that are missing.
  await Promise.all([load(locale), locale === fallbackLocale ? undefined : load(fallbackLocale)])
  language = locale
  // A new function for each language, so that memoized values are computed again.
  translate = (key, vars) => textFor(locale, key, vars)
  document.documentElement.lang = intlLocale(locale)
  if (locale === 'cn_zh') loadChineseFont()
  for (const listener of listeners) listener()
}

async function load(locale: Locale): Promise<void> {
  if (textsByLocale.has(locale)) return
  try {
    const response = await fetch(`/locales/${locale}/global.json`)
    if (!response.ok) throw new Error(`answered ${response.status}`)
    textsByLocale.set(locale, await response.json())
  } catch (error) {
    console.warn(`The texts in ${locale} could not be loaded.`, error)
  }
}

function textFor(locale: Locale, key: string, vars: Record<string, unknown> = {}): string {
  const fallbackText = typeof vars.defaultValue === 'string' ? vars.defaultValue : key
  return fill(findText(locale, key, vars) ?? findText(fallbackLocale, key, vars) ?? fallbackText, vars)
}

/** Replaces `{{name}}`. A placeholder without a value stays. */
export function fill(text: string, vars: Record<string, unknown>): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => (name in vars ? String(vars[name]) : whole))
}

/** The text under `a.b.c`, or its plural form for `vars.count`. */
function findText(locale: Locale, key: string, vars: Record<string, unknown>): string | undefined {
  const texts = textsByLocale.get(locale)
  const single = at(texts, key)
  if (single !== undefined || typeof vars.count !== 'number') return single
  return at(texts, `${key}_${new Intl.PluralRules(intlLocale(locale)).select(vars.count)}`)
}

function at(texts: Texts | undefined, key: string): string | undefined {
  let here: string | Texts | undefined = texts
  for (const part of key.split('.')) here = typeof here === 'object' ? here[part] : undefined
  return typeof here === 'string' ? here : undefined
}

export function currentLanguage(): Locale {
  return language
}

/** For code outside components; inside use `useT`. */
export const t: Translate = (key, vars) => translate(key, vars)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `const t = useT()`: the component renders again when the language changes. */
export function useT(): Translate {
  return useSyncExternalStore(subscribe, () => translate)
}

export function useLanguage(): Locale {
  return useSyncExternalStore(subscribe, () => language)
}
