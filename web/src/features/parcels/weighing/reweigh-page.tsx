import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { statusLabel } from '@waybill/contract/ground/status/status-label'
import { staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { ScanNotice, useScanResult } from '../../../components/scans/scan-notice.tsx'
import { useLookup } from '../../../components/scans/use-lookup.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'
import { useCustodyText } from '../scanning/custody-text.ts'
import { ReweighForm } from './reweigh-form.tsx'
import { whyNotWeighed } from './weighing-figures.ts'

/** Weighs a parcel at the station: scan its number, then enter weight and dimensions with a photo of the scale. */
export function ReweighPage() {
  const t = useT()
  const custodyText = useCustodyText()
  const language = useLanguage()
  const own = useSession((session) => session.auth.user?.staff?.stationId ?? null)
  const { result, show, reset } = useScanResult()
  const {
    result: parcel,
    find,
    clear,
  } = useLookup(
    (no) => call(staffParcelByNumber, { params: { no } }),
    (error, no) => show(false, no, errorMessage(error)),
  )
  async function look(no: string) {
    const parcel = await find(no)
    if (!parcel) return
    reset()
    if (parcel.mayWeigh) return
    clear()
    const status = statusLabel(parcelStatusLabels, parcel.status, parcel.leg, language)
    show(false, no, t(`reweighPage.${whyNotWeighed(parcel, own)}`, { holder: custodyText(parcel.custody), status }))
  }
  return (
    <>
      <PageHeader title={t('reweighPage.title')} description={t('reweighPage.lead')} />
      <ScanField
        label={t('fields.trackingNumber')}
        action={t('reweighPage.find')}
        onScan={(numbers) => void look(numbers.at(-1) ?? '')}
        active={parcel === null}
        main={parcel === null}
      />
      {parcel ? (
        <ReweighForm
          key={parcel.id}
          parcel={parcel}
          onDone={({ weighing, text, held: isHeld }) => {
            clear()
            show(!isHeld, weighing.trackingNumber, text)
          }}
          onCancel={clear}
        />
      ) : (
        <ScanNotice result={result} ready={t('counterPage.ready')} />
      )}
    </>
  )
}
