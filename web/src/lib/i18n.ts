import { fallbackLocale, intlLocale, type Locale, locales } from '@waybill/contract/ground/constants'
import type { Translate } from '@waybill/contract/ground/validation'
import { useSyncExternalStore } from 'react'
import { loadChineseFont } from './browser/chinese-font.ts'
import { languageKey, local } from './browser/storage.ts'

/*
 * The one way to a text. Reads `/locales/{en,cn_zh}/global.json` as the server's i18next does, and understands what
 * those files use: nested keys, `{{name}}`, plurals by `count`, English where a text is missing. It is our own because
 * i18next takes 18 kB, a fifth of what a page may take (decision 0005).
 */
type Texts = { [key: string]: string | Texts }

const textsByLocale = new Map<Locale, Texts>()
const listeners = new Set<() => void>()
let language: Locale = fallbackLocale
let translate: Translate = (key) => key

/** The language that was chosen last, else the fallback. */
export function savedLanguage(): Locale {
  const savedLocale = local.get(languageKey)
  return locales.find((locale) => locale === savedLocale) ?? fallbackLocale
}

/** Loads the texts; without them nothing can be shown, so await it before the first render. */
export async function startI18n(locale: Locale = savedLanguage()): Promise<void> {
  await apply(locale)
}

/** Changes the language everywhere and remembers it. */
export async function setLanguage(locale: Locale): Promise<void> {
  local.set(languageKey, locale)
  await apply(locale)
}

async function apply(locale: Locale): Promise<void> {
  // English beside the other one: it fills what that one misses.
  await Promise.all([load(locale), locale === fallbackLocale ? undefined : load(fallbackLocale)])
  language = locale
  // A new function for each language, so that what depends on it is worked out again.
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

/** Puts `{{name}}` in; a name that isn't given stays as it stands. */
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

/** `const t = useT()`: renders again when the language changes. */
export function useT(): Translate {
  return useSyncExternalStore(subscribe, () => translate)
}

export function useLanguage(): Locale {
  return useSyncExternalStore(subscribe, () => language)
}
