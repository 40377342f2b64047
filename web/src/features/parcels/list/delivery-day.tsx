import type { Parcel } from '@waybill/contract/parcels/parcels'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { findDeliveryDay } from '../shared/delivery-day.ts'

type Props = { parcel: Parcel; write: (day: string) => string }

/** `25 Nov`, or `25 Nov, late` in bold, as on the page of the parcel. */
export function DeliveryDay({ parcel, write }: Props) {
  const t = useT()
  const format = useFormat()
  const date = findDeliveryDay(parcel)
  if (date === null) return null
  if (date >= format.today()) return write(date)
  return <strong>{t('parcelsPage.lateSince', { day: write(date) })}</strong>
}
