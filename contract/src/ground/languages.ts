/**
 * The languages of the portal. Apart from `enums.ts`, since every page needs these, and a page that needs no labels
 * should not load them.
 */
export type Locale = 'en' | 'cn_zh'
export const locales = ['en', 'cn_zh'] as const satisfies readonly Locale[]
export const fallbackLocale: Locale = 'en'

/** The BCP 47 tag that `Intl` and `<html lang>` use for a language of the portal. */
export function intlLocale(locale: Locale): string {
  return locale === 'cn_zh' ? 'zh-CN' : 'en'
}
