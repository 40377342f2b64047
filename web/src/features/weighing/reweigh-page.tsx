import { Button } from '@mantine/core'
import { type StaffParcel, staffParcelByNumber } from '@waybill/contract/scans'
import { reweighBody, reweighParcel, type Weighing } from '@waybill/contract/weighing'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { type FieldBinding, useContractForm } from '../../components/form/contract-form.ts'
import { LengthField, WeightField } from '../../components/form/measure-field.tsx'
import { type Photo, PhotoField } from '../../components/form/photo-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Photos } from '../../components/photos.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './weighing.module.css'

const numberForm = z.object({ trackingNumber: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)) })

/** Weighs a parcel that is at the station: the number, then what scale and tape say, with a photo of the display. */
export function ReweighPage() {
  const t = useT()
  const [parcel, setParcel] = useState<StaffParcel | null>(null)
  const [done, setDone] = useState<Weighing | null>(null)
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
        <Weigh
          key={parcel.id}
          parcel={parcel}
          onDone={(weighing) => {
            setDone(weighing)
            setParcel(null)
            form.reset()
          }}
        />
      )}
      {done && <Result weighing={done} />}
    </>
  )
}

function Weigh({ parcel, onDone }: { parcel: StaffParcel; onDone: (weighing: Weighing) => void }) {
  const t = useT()
  const format = useFormat()
  const key = useRef<string>(crypto.randomUUID())
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const [busy, setBusy] = useState(false)
  const form = useContractForm({
    schema: reweighBody,
    initial: {
      weightGrams: null as number | null,
      dimensions: parcel.dimensions ?? null,
      scaleReading: '',
      photoId: null as string | null,
    },
    prepare: (values) => ({ ...values, photoId: photos[0]?.id ?? null }),
    onSubmit: async (body) => {
      onDone(await call(reweighParcel, { params: { id: parcel.id }, body, idempotencyKey: key.current }))
    },
    onError: () => {
      key.current = crypto.randomUUID()
      return false
    },
  })
  return (
    <form {...form.props} className={`${classes.card} ${classes.form}`}>
      <h2>{format.trackingNumber(parcel.trackingNumber ?? '')}</h2>
      <p className={classes.quiet}>
        {t('reweighPage.declared', { weight: parcel.weightGrams ? format.weight(parcel.weightGrams) : '' })}
        {parcel.dimensions && ` · ${format.dimensions(parcel.dimensions)}`}
      </p>
      <Photos photos={parcel.photos} alt={t('parcelPage.senderPhoto')} />
      <WeightField field={form.field('weightGrams')} autoFocus />
      {form.values.dimensions && (
        <div className={classes.sizes}>
          {(['lengthMm', 'widthMm', 'heightMm'] as const).map((side) => (
            <LengthField
              key={side}
              field={form.field(`dimensions.${side}` as never) as unknown as FieldBinding<number | null>}
            />
          ))}
        </div>
      )}
      <TextField field={form.field('scaleReading')} help={t('reweighPage.readingHelp')} />
      <PhotoField
        label={t('fields.photoId')}
        help={t('reweighPage.photoHelp')}
        purpose="reweigh_photo"
        value={photos}
        onChange={setPhotos}
        onBusy={setBusy}
        most={1}
      />
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" loading={form.submitting || busy}>
          {t('reweighPage.save')}
        </Button>
      </div>
    </form>
  )
}

function Result({ weighing }: { weighing: Weighing }) {
  const t = useT()
  const format = useFormat()
  const amount = format.money(Math.abs(weighing.differenceMinor), weighing.currency)
  const key = weighing.differenceMinor > 0 ? 'heavier' : weighing.differenceMinor < 0 ? 'lighter' : 'same'
  return (
    <section className={classes.card} role="status">
      <h2>{format.trackingNumber(weighing.trackingNumber)}</h2>
      <p>{t(`reweighPage.result.${key}`, { amount })}</p>
    </section>
  )
}
