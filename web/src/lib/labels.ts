import type { Locale } from '@waybill/contract/ground/constants'
import { enumLabel } from '@waybill/contract/ground/enums'
import { useLanguage } from './i18n.ts'

type Labels = { readonly [value: string]: readonly [string, string] }

/**
 * `const label = useLabel(); label(parcelStatusLabels, parcel.status)`: the label of an enumeration's value in the
 * user's language.
 */
export function useLabel() {
  const language: Locale = useLanguage()
  return <L extends Labels>(labels: L, value: Extract<keyof L, string>): string => enumLabel(labels, value, language)
}

/** Every value of an enumeration as choices of a field. */
export function useChoices() {
  const label = useLabel()
  return <L extends Labels>(labels: L) =>
    (Object.keys(labels) as Extract<keyof L, string>[]).map((value) => ({ value, label: label(labels, value) }))
}
