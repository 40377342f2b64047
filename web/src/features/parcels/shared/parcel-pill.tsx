import { parcelStatusLabels, statusLabel } from '@waybill/contract/ground/enums'
import { parcelStatusLooks } from '@waybill/contract/ground/status-look'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { useLanguage, useT } from '../../../lib/i18n.ts'

/** A parcel's status. One whose checkout waits for an approval must not look as if its sender had to pay. */
export function ParcelPill({
  parcel: { status, leg },
  waitsForApproval,
}: {
  parcel: Pick<Parcel, 'status' | 'leg'>
  waitsForApproval: boolean
}) {
  const t = useT()
  const language = useLanguage()
  return (
    <StatusPill
      look={parcelStatusLooks[status]}
      label={waitsForApproval ? t('approvals.waitsTitle') : statusLabel(parcelStatusLabels, status, leg, language)}
    />
  )
}
