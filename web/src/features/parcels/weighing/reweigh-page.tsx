import { type StaffParcel, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { useRef, useState } from 'react'
import { notify } from '../../../components/feedback/notify.tsx'
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
  const [parcel, setParcel] = useState<StaffParcel | null>(null)
  const [done, setDone] = useState<Weighed | null>(null)
  /** The number that is looked at: the answer for an earlier one must not take its place. */
  const current = useRef('')
  async function find(no: string) {
    current.current = no
    setDone(null)
    setParcel(null)
    try {
      const found = await call(staffParcelByNumber, { params: { no } })
      if (current.current === no) setParcel(found)
    } catch (error) {
      if (current.current === no) notify.problem(error)
    }
  }
  return (
    <>
      <PageHeader title={t('reweighPage.title')} description={t('reweighPage.lead')} />
      <Panel as="div" gap={12} style={{ marginBlockEnd: 16 }}>
        <ScanField
          label={t('fields.trackingNumber')}
          action={t('reweighPage.find')}
          onScan={(numbers) => void find(numbers.at(-1) ?? '')}
          active={parcel === null}
        />
      </Panel>
      {parcel && (
        <ReweighForm
          key={parcel.id}
          parcel={parcel}
          onDone={(weighed) => {
            setDone(weighed)
            setParcel(null)
          }}
          onCancel={() => setParcel(null)}
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
