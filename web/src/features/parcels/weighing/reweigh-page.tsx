import { staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { useState } from 'react'
import { useLookup } from '../../../components/feedback/use-lookup.ts'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { Panel } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Mono } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { ReweighForm, type Weighed } from './reweigh-form.tsx'

/** Weighs a parcel at the station: scan its number, then enter weight and dimensions with a photo of the scale. */
export function ReweighPage() {
  const t = useT()
  const { result: parcel, find, clear } = useLookup((no) => call(staffParcelByNumber, { params: { no } }))
  const [lastResult, setLastResult] = useState<Weighed | null>(null)
  return (
    <>
      <PageHeader title={t('reweighPage.title')} description={t('reweighPage.lead')} />
      <Panel as="div" gap={12} style={{ marginBlockEnd: 16 }}>
        <ScanField
          label={t('fields.trackingNumber')}
          action={t('reweighPage.find')}
          onScan={(numbers) => {
            setLastResult(null)
            void find(numbers.at(-1) ?? '')
          }}
          active={parcel === null}
          main={parcel === null}
        />
      </Panel>
      {parcel && (
        <ReweighForm
          key={parcel.id}
          parcel={parcel}
          onDone={(result) => {
            setLastResult(result)
            clear()
          }}
          onCancel={clear}
        />
      )}
      {lastResult && <Result result={lastResult} />}
    </>
  )
}

function Result({ result: { weighing, text } }: { result: Weighed }) {
  const format = useFormat()
  return (
    <Panel gap={12} style={{ marginBlockEnd: 16 }} role="status">
      <Mono as="h2">{format.trackingNumber(weighing.trackingNumber)}</Mono>
      <p>{text}</p>
    </Panel>
  )
}
