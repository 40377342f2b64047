import { staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { useState } from 'react'
import { errorMessage } from '../../../components/feedback/notify.tsx'
import { type ScanNews, ScanNotice } from '../../../components/feedback/scan-notice.tsx'
import { useLookup } from '../../../components/feedback/use-lookup.ts'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { call } from '../../../lib/api.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCustodyText } from '../scanning/custody-text.ts'
import { ReweighForm } from './reweigh-form.tsx'

/** Weighs a parcel at the station: scan its number, then enter weight and dimensions with a photo of the scale. */
export function ReweighPage() {
  const t = useT()
  const custodyText = useCustodyText()
  const [news, setNews] = useState<ScanNews | null>(null)
  function tell(well: boolean, number: string, text: string) {
    beep(well)
    setNews({ well, number, text })
  }
  const {
    result: parcel,
    find,
    clear,
  } = useLookup(
    (no) => call(staffParcelByNumber, { params: { no } }),
    (error, no) => tell(false, no, errorMessage(error)),
  )
  async function look(no: string) {
    const parcel = await find(no)
    if (!parcel) return
    setNews(null)
    if (parcel.mayWeigh) return
    clear()
    tell(false, no, t('reweighPage.notHere', { holder: custodyText(parcel.custody) }))
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
            tell(!isHeld, weighing.trackingNumber, text)
          }}
          onCancel={clear}
        />
      ) : (
        <ScanNotice news={news} ready={t('counterPage.ready')} />
      )}
    </>
  )
}
