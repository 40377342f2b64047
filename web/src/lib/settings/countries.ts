import { intlLocale } from '@waybill/contract/ground/constants'
import { useMemo } from 'react'
import { useLanguage } from '../i18n.ts'
import { useSession } from '../session.ts'

/** A country as a choice of a field: its code (lower case) and its name. */
export type Country = { value: string; label: string }

/** `const getName = useCountryName(); getName('my')` -> `Malaysia`, in the user's language, or the code if unknown. */
export function useCountryName(): (code: string) => string {
  const names = new Intl.DisplayNames(intlLocale(useLanguage()), { type: 'region' })
  return (code) => names.of(code.toUpperCase()) ?? code
}

/**
 * The countries of the store's options, sorted by their names in the user's language; null until the options are
 * loaded. English uses the deployment's own names, other languages the standard ones.
 */
export function useCountries(): readonly Country[] | null {
  const language = useLanguage()
  const nameByCode = useSession(({ setting }) => setting.options?.countryNameByCode)
  return useMemo(() => {
    if (!nameByCode) return null
    const tag = intlLocale(language)
    const names = new Intl.DisplayNames(tag, { type: 'region' })
    // One collator for the whole sort: `localeCompare` would create one for each comparison.
    const { compare } = new Intl.Collator(tag)
    return Object.entries(nameByCode)
      .map(([value, name]) => ({
        value,
        label: language === 'en' ? name : (names.of(value.toUpperCase()) ?? name),
      }))
      .sort((a, b) => compare(a.label, b.label))
  }, [nameByCode, language])
}
