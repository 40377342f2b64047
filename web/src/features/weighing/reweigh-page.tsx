import { Button } from '@mantine/core'
import { type StaffParcel, staffParcelByNumber } from '@waybill/contract/scans'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useContractForm } from '../../components/form/contract-form.ts'
import { TextField } from '../../components/form/text-field.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { ReweighForm, type Weighed } from './reweigh-form.tsx'
import classes from './weighing.module.css'

const numberForm = z.object({ trackingNumber: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)) })

/** Weighs a parcel that is at the station: the number, then what scale and tape say, with a photo of the display. */
export function ReweighPage() {
  const t = useT()
  const [parcel, setParcel] = useState<StaffParcel | null>(null)
  const [done, setDone] = useState<Weighed | null>(null)
  const form = useContractForm({
    schema: numberForm,
    initial: { trackingNumber: '' },
    onSubmit: async ({ trackingNumber }) => {
      setDone(null)
      setParcel(await call(staffParcelByNumber, { params: { no: trackingNumber } }))
    },
  })
  return (
    <>
      <PageHeader title={t('reweighPage.title')} description={t('reweighPage.lead')} />
      <form {...form.props} className={`${classes.card} ${classes.form}`}>
        <TextField field={form.field('trackingNumber')} autoFocus autoComplete="off" />
        <div className={classes.buttons}>
          <Button type="submit" loading={form.submitting}>
            {t('reweighPage.find')}
          </Button>
        </div>
      </form>
      {parcel && (
        <ReweighForm
          key={parcel.id}
          parcel={parcel}
          onDone={(weighed) => {
            setDone(weighed)
            setParcel(null)
            form.reset()
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
    <section className={classes.card} role="status">
      <h2 className={classes.mono}>{format.trackingNumber(weighing.trackingNumber)}</h2>
      <p>{text}</p>
    </section>
  )
}
