import type { Locale } from '@waybill/contract/ground/constants'
import type { Translate } from '@waybill/contract/ground/validation'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'

/** The zones of a price in words: `Klang Valley to Sabah`, or `Within Sabah`. Old prices have no names of zones. */
export function formatZones(
  t: Translate,
  language: Locale,
  { zoneNames, originZone, destinationZone }: PriceBreakdown,
): string | undefined {
  if (!zoneNames) return undefined
  const { origin, destination, originZh = origin, destinationZh = destination } = zoneNames
  return t(
    originZone === destinationZone ? 'parcelPage.oneZone' : 'parcelPage.route',
    language === 'en' ? { origin, destination } : { origin: originZh, destination: destinationZh },
  )
}
