import { hasNote } from '@waybill/contract/ground/status/parcel-status'
import type { StaffParcel } from '@waybill/contract/parcels/scanning'
import { staffCarrierLabel, staffCustomsDocument, staffNotes } from '@waybill/contract/parcels/staff-prints'
import { PrintButton } from '../../../components/buttons/print-button.tsx'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'

/**
 * The prints of a parcel: its consignment note and, where required, the customs form and the carrier's label. `main`:
 * the note is the main action of the view.
 */
export function ParcelPrints({ parcel, main = false }: { parcel: StaffParcel; main?: boolean }) {
  const t = useT()
  const params = { id: parcel.id }
  if (!hasNote(parcel)) return null
  return (
    <Buttons>
      <PrintButton
        label={t('staffPrints.note')}
        endpoint={staffNotes}
        options={{ query: { ids: parcel.id } }}
        main={main}
      />
      {parcel.customs && (
        <PrintButton label={t('staffPrints.customs')} endpoint={staffCustomsDocument} options={{ params }} />
      )}
      {parcel.carrier !== null && parcel.carrier !== 'own' && (
        <PrintButton label={t('staffPrints.carrierLabel')} endpoint={staffCarrierLabel} options={{ params }} />
      )}
    </Buttons>
  )
}
