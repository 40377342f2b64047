import type { Custody } from '@waybill/contract/parcels/scanning'
import { useT } from '../../../lib/i18n.ts'

/** The holder of a parcel as one line of text. */
export function useCustodyText(): (custody: Custody) => string {
  const t = useT()
  return ({ holder, station, rider, gunny, nextStation }) => {
    const names = { customer: null, station: station?.name, rider: rider?.name, gunny, carrier: nextStation?.name }
    const name = names[holder]
    return name ? t(`custody.${holder}`, { name }) : t(`custody.${holder}Unknown`)
  }
}
