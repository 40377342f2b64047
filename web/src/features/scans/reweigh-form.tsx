import { Button } from '@mantine/core'
import type { StaffParcel } from '@waybill/contract/scans'
import { reweighBody, reweighParcel } from '@waybill/contract/weighing'
import { useRef, useState } from 'react'
import { useContractForm } from '../../components/form/contract-form.ts'
import { LengthField, WeightField } from '../../components/form/measure-field.tsx'
import { type Photo, PhotoField } from '../../components/form/photo-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './scan.module.css'

type Values = {
  weightGrams: number | null
  dimensions: { lengthMm: number | null; widthMm: number | null; heightMm: number | null }
  scaleReading: string
}

const blank: Values = {
  weightGrams: null,
  dimensions: { lengthMm: null, widthMm: null, heightMm: null },
  scaleReading: '',
}

/** Sizes are measured all or not at all. */
const prepare = ({ dimensions, ...values }: Values) => ({
  ...values,
  dimensions: Object.values(dimensions).every((side) => side === null) ? null : dimensions,
})

type Props = { parcel: StaffParcel; onDone: (text: string, well: boolean) => Promise<void>; onCancel: () => void }

/** What the scale says, with a photo of it: heavier than declared holds the parcel until the difference is paid. */
export function ReweighForm({ parcel, onDone, onCancel }: Props) {
  const t = useT()
  const format = useFormat()
  // The same until the server has said no: a retry after a lost answer weighs once.
  const key = useRef<string>(crypto.randomUUID())
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const [sending, setSending] = useState(false)
  const form = useContractForm({
    schema: reweighBody,
    initial: blank,
    prepare,
    onSubmit: async (body) => {
      const weighed = await call(reweighParcel, {
        params: { id: parcel.id },
        body: { ...body, photoId: photos[0]?.id ?? null },
        idempotencyKey: key.current,
      })
      const held = weighed.dueMinor > 0
      const text = held
        ? t('counterPage.held', { amount: format.money(weighed.dueMinor, weighed.currency) })
        : t('counterPage.reweighed')
      await onDone(text, !held)
    },
    onError: () => {
      key.current = crypto.randomUUID()
      return false
    },
  })
  return (
    <section className={classes.panel} aria-label={t('counterPage.reweigh')}>
      <h2>
        {t('counterPage.reweigh')}: <span className={classes.mono}>{parcel.trackingNumber}</span>
      </h2>
      <form {...form.props} className={classes.details}>
        <WeightField field={form.field('weightGrams')} autoFocus />
        <div className={classes.sides}>
          <LengthField field={form.field('dimensions.lengthMm')} />
          <LengthField field={form.field('dimensions.widthMm')} />
          <LengthField field={form.field('dimensions.heightMm')} />
        </div>
        <TextField field={form.field('scaleReading', t('counterPage.scale'))} />
        <PhotoField
          label={t('counterPage.photo')}
          purpose="reweigh_photo"
          most={1}
          value={photos}
          onChange={setPhotos}
          onBusy={setSending}
        />
        <div className={classes.modeButtons}>
          <Button type="submit" variant="filled" size="lg" loading={form.submitting || sending}>
            {t('counterPage.saveWeight')}
          </Button>
          <Button size="lg" onClick={onCancel}>
            {t('actions.cancel')}
          </Button>
        </div>
      </form>
    </section>
  )
}
