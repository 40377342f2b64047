import type { Locale } from '@waybill/contract/ground/constants'
import { type ContentType, contentTypeLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { deliveryModeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { useLanguage } from './i18n.ts'
import { useSession } from './session.ts'

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

/** The options for forms; null until they are loaded. */
const useOptions = () => useSession(({ setting }) => setting.options)

/**
 * The content types that the deployment carries, as choices. All of them until the options are loaded, because the
 * server checks again. `selected` remains a choice, so that a form never hides the value that it would send.
 */
export function useContentTypes(selected: ContentType | null = null) {
  const carried = useOptions()?.contentTypes
  const choices = useChoices()(contentTypeLabels)
  return carried ? choices.filter(({ value }) => value === selected || carried.includes(value)) : choices
}

/** The delivery modes of the deployment, as choices. */
export function useDeliveryModes() {
  const offered = useOptions()?.deliveryModes
  const choices = useChoices()(deliveryModeLabels)
  return offered ? choices.filter(({ value }) => offered.includes(value)) : choices
}

/** The maximum insurable value, in minor units; 0: nothing can be insured, null: the options are not loaded. */
export function useMaxInsured(): number | null {
  const tiers = useOptions()?.insuranceTiers
  return tiers ? Math.max(0, ...tiers.map(({ upToMinor }) => upToMinor)) : null
}
