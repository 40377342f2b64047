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

/** Weighs a parcel that is at the station: the number, then what scale and tape say, with a photo of the display. */
export function ReweighPage() {
  const t = useT()
  const { found: parcel, find, clear } = useLookup((no) => call(staffParcelByNumber, { params: { no } }))
  const [done, setDone] = useState<Weighed | null>(null)
  return (
    <>
      <PageHeader title={t('reweighPage.title')} description={t('reweighPage.lead')} />
      <Panel as="div" gap={12} style={{ marginBlockEnd: 16 }}>
        <ScanField
          label={t('fields.trackingNumber')}
          action={t('reweighPage.find')}
          onScan={(numbers) => {
            setDone(null)
            void find(numbers.at(-1) ?? '')
          }}
          active={parcel === null}
        />
      </Panel>
      {parcel && (
        <ReweighForm
          key={parcel.id}
          parcel={parcel}
          onDone={(weighed) => {
            setDone(weighed)
            clear()
          }}
          onCancel={clear}
        />
      )}
      {done && <Result weighed={done} />}
    </>
  )
}

function Result({ weighed: { weighing, text } }: { weighed: Weighed }) {
  const format = useFormat()
  return (
    <Panel gap={12} style={{ marginBlockEnd: 16 }} role="status">
      <Mono as="h2">{format.trackingNumber(weighing.trackingNumber)}</Mono>
      <p>{text}</p>
    </Panel>
  )
}
