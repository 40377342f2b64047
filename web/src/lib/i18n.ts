import { fallbackLocale, intlLocale, type Locale, locales } from '@waybill/contract/ground/constants'
import { fillText, findText, type Texts } from '@waybill/contract/ground/language/texts'
import type { Translate } from '@waybill/contract/ground/validation'
import { useSyncExternalStore } from 'react'
import { languageKey, local } from './browser/storage.ts'

/*
 * The translation function. Loads `/locales/{en,cn_zh}/*.json` and reads them with the contract's `findText` and
 * `fillText`, as the server does; English is the fallback.
 */

/** The entries of the build, which each have a file with the texts of their first screen (`page-texts.ts`). */
type Entry = 'index' | 'sign-in' | 'track'

const textsByLocale = new Map<Locale, Texts>()
/** Languages whose texts are complete, or could not be loaded. */
const complete = new Set<Locale>()
let loadingRest: Promise<void> | null = null
const listeners = new Set<() => void>()
let entry: Entry = 'index'
let language: Locale = fallbackLocale
let translate: Translate = (key) => key
let translateOrWait: Translate = translate

/** The saved language, or the fallback. */
function savedLanguage(): Locale {
  const savedLocale = local.get(languageKey)
  return locales.find((locale) => locale === savedLocale) ?? fallbackLocale
}

/** Loads the texts of the entry's first screen. Await it before the first render. */
export async function startI18n(page: Entry, locale: Locale = savedLanguage()): Promise<void> {
  entry = page
  // Requests that are sent meanwhile get their responses in this language.
  language = locale
  await apply(locale)
}

/** Changes the language everywhere and saves it. */
export async function setLanguage(locale: Locale): Promise<void> {
  local.set(languageKey, locale)
  // Without them, a page that shows other texts than the first screen would vanish until they are loaded.
  if (complete.has(language)) await loadAllTexts(locale)
  await apply(locale)
}

async function apply(locale: Locale): Promise<void> {
  // English is also loaded, as a fallback for missing texts.
  await Promise.all(withFallback(locale).map((each) => textsByLocale.has(each) || load(each, entry)))
  language = locale
  // New functions for each language, so that memoized values are computed again.
  translate = (key, vars) => textFor(locale, key, vars)
  translateOrWait = (key, vars) => {
    if (!complete.has(locale) && findText(textsByLocale.get(locale), locale, key, vars) === undefined)
      throw loadAllTexts()
    return textFor(locale, key, vars)
  }
  document.documentElement.lang = intlLocale(locale)
  if (locale === 'cn_zh') void ensureChineseFont()
  for (const listener of listeners) listener()
}

/** Makes sure that Chinese characters are not shown as boxes. Never rejects: without a connection they may be. */
export async function ensureChineseFont(): Promise<void> {
  const module = await import('./browser/chinese-font.ts').catch(() => null)
  module?.loadChineseFontWhereMissing()
}

const withFallback = (locale: Locale) => (locale === fallbackLocale ? [locale] : [locale, fallbackLocale])

/** Loads the texts beyond the first screen. Never rejects: without them, keys are shown. */
export function loadAllTexts(locale = language): Promise<void> {
  const missing = withFallback(locale).filter((each) => !complete.has(each))
  loadingRest ??= Promise.all(
    missing.map(async (each) => {
      await load(each, 'global')
      complete.add(each)
    }),
  ).then(() => {
    loadingRest = null
  })
  return loadingRest
}

async function load(locale: Locale, file: Entry | 'global'): Promise<void> {
  try {
    const response = await fetch(`/locales/${locale}/${file}.json`)
    if (!response.ok) throw new Error(`answered ${response.status}`)
    const texts: Texts = await response.json()
    // The texts of the first screen may arrive after all texts.
    if (!complete.has(locale)) textsByLocale.set(locale, texts)
  } catch (error) {
    console.warn(`The texts in ${locale} could not be loaded.`, error)
  }
}

function textFor(locale: Locale, key: string, vars: Record<string, unknown> = {}): string {
  const fallbackText = typeof vars.defaultValue === 'string' ? vars.defaultValue : key
  const text = (language: Locale) => findText(textsByLocale.get(language), language, key, vars)
  return fillText(text(locale) ?? text(fallbackLocale) ?? fallbackText, vars)
}

export function currentLanguage(): Locale {
  return language
}

/** For code outside components; inside use `useT`. */
export const t: Translate = (key, vars) => translate(key, vars)

/** Calls `listener` when the language changes. Returns a function that ends this. */
export function onLanguageChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * `const t = useT()`: the component rerenders when the language changes. A text that is not loaded yet suspends it.
 */
export function useT(): Translate {
  return useSyncExternalStore(onLanguageChange, () => translateOrWait)
}

export function useLanguage(): Locale {
  return useSyncExternalStore(onLanguageChange, () => language)
}

/** The name of each language in that language. */
export const languageNames: Record<Locale, string> = { en: 'English', cn_zh: '中文' }
