import { fallbackLocale, intlLocale, type Locale, locales } from '@waybill/contract/ground/constants'
import type { Translate } from '@waybill/contract/ground/validation'
import { useSyncExternalStore } from 'react'
import { loadChineseFont } from './chinese-font.ts'
import { languageKey, local } from './storage.ts'

/*
 * The one way to a text. Reads `/locales/{en,cn_zh}/global.json` as the server's i18next does, and understands what
 * those files use: nested keys, `{{name}}`, plurals by `count`, English where a text is missing. It is our own because
 * i18next takes 18 kB, a fifth of what a page may take (decision 0005).
 */
type Texts = { [key: string]: string | Texts }

const loaded = new Map<Locale, Texts>()
const listeners = new Set<() => void>()
let language: Locale = fallbackLocale
let translate: Translate = (key) => key

/** The language that was chosen last, else the fallback. */
export function savedLanguage(): Locale {
  const saved = local.get(languageKey)
  return locales.find((locale) => locale === saved) ?? fallbackLocale
}

/** Loads the texts; without them nothing can be shown, so await it before the first render. */
export async function startI18n(wanted: Locale = savedLanguage()): Promise<void> {
  await apply(wanted)
}

/** Changes the language everywhere and remembers it. */
export async function setLanguage(wanted: Locale): Promise<void> {
  local.set(languageKey, wanted)
  await apply(wanted)
}

async function apply(wanted: Locale): Promise<void> {
  // English beside the other one: it fills what that one misses.
  await Promise.all([load(wanted), wanted === fallbackLocale ? undefined : load(fallbackLocale)])
  language = wanted
  // A new function for each language, so that what depends on it is worked out again.
  translate = (key, vars) => textFor(wanted, key, vars)
  document.documentElement.lang = intlLocale(wanted)
  if (wanted === 'cn_zh') loadChineseFont()
  for (const listener of listeners) listener()
}

async function load(wanted: Locale): Promise<void> {
  if (loaded.has(wanted)) return
  try {
    const response = await fetch(`/locales/${wanted}/global.json`)
    if (!response.ok) throw new Error(`answered ${response.status}`)
    loaded.set(wanted, await response.json())
  } catch (error) {
    console.warn(`The texts in ${wanted} could not be loaded.`, error)
  }
}

function textFor(locale: Locale, key: string, vars: Record<string, unknown> = {}): string {
  const given = typeof vars.defaultValue === 'string' ? vars.defaultValue : key
  return fill(found(locale, key, vars) ?? found(fallbackLocale, key, vars) ?? given, vars)
}

/** Puts `{{name}}` in; a name that isn't given stays as it stands. */
export function fill(text: string, vars: Record<string, unknown>): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => (name in vars ? String(vars[name]) : whole))
}

/** The text under `a.b.c`, or its plural form for `vars.count`. */
function found(locale: Locale, key: string, vars: Record<string, unknown>): string | undefined {
  const texts = loaded.get(locale)
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
