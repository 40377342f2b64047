import type { Translate } from '@waybill/contract/ground/validation'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'

/** The zones of a price in words: `Klang Valley to Sabah`, or `Within Sabah`. Old prices have no names of zones. */
export function formatZones(t: Translate, { zoneNames }: PriceBreakdown): string | undefined {
  if (!zoneNames) return undefined
  return t(zoneNames.origin === zoneNames.destination ? 'parcelPage.oneZone' : 'parcelPage.route', { ...zoneNames })
}
