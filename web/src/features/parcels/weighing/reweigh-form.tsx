import { Button } from '@mantine/core'
import type { StaffParcel } from '@waybill/contract/parcels/scanning'
import { reweighBody, reweighParcel, type Weighing } from '@waybill/contract/parcels/weighing'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { confirm } from '../../../components/confirm.tsx'
import { Photos } from '../../../components/display/photos.tsx'
import { WeightField } from '../../../components/fields/measure-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Mono, Note } from '../../../components/layout/text.tsx'
import { ApiError } from '../../../lib/api.ts'
import { type Format, useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { type Photo, PhotoField } from '../../attachments/shared/photo-field.tsx'
import { SizeFields } from './size-fields.tsx'
import { blankSize, type SizeValues, withSize } from './weighing-figures.ts'

type Values = {
  weightGrams: number | null
  dimensions: SizeValues
  scaleReading: string
}

const blank: Values = {
  weightGrams: null,
  dimensions: blankSize,
  scaleReading: '',
}

/** The result of a weighing. `held`: the parcel stays at the station until the difference is paid. */
export type WeighingResult = { weighing: Weighing; held: boolean; text: string }
type Props = { parcel: StaffParcel; onDone: (result: WeighingResult) => Promise<void> | void; onCancel: () => void }

/**
 * Weight and dimensions of a parcel, with a photo of the scale. A parcel heavier than declared is held until the
 * difference is paid.
 */
export function ReweighForm({ parcel, onDone, onCancel }: Props) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const [sending, setSending] = useState(false)
  /** Null if the clerk wants to check the scale again. */
  async function weigh(body: z.input<typeof reweighBody> & { weightGrams: number }): Promise<Weighing | null> {
    try {
      return await callOnce(reweighParcel, { params: { id: parcel.id }, body })
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'weight_far_off')) throw error
      const weight = format.weight(body.weightGrams)
      const sure = await confirm({
        title: t('reweighPage.farOff.title'),
        message: t('reweighPage.farOff.message', { weight, declared: format.weight(parcel.weightGrams ?? 0) }),
        action: t('reweighPage.farOff.action', { weight }),
      })
      return sure ? weigh({ ...body, confirmed: true }) : null
    }
  }
  const form = useContractForm({
    schema: reweighBody,
    initial: blank,
    prepare: withSize,
    onSubmit: async (values) => {
      const body = { ...values, photoId: photos[0]?.id ?? null }
      const weighing = await weigh({ ...body, confirmed: false })
      if (weighing) await onDone(toResult(weighing, t, format))
    },
  })
  const measures = ({ weightGrams, dimensions }: Pick<StaffParcel, 'weightGrams' | 'dimensions'>) =>
    [weightGrams && format.weight(weightGrams), dimensions && format.dimensions(dimensions)].filter(Boolean).join(' · ')
  const declared = measures(parcel)
  const reading = parcel.latestReading
  return (
    <Panel gap={12} style={{ maxWidth: 640, marginBlockStart: 16 }} aria-label={t('reweighPage.title')}>
      <h2>
        {t('reweighPage.title')} · <Mono>{format.trackingNumber(parcel.trackingNumber ?? '')}</Mono>
      </h2>
      {declared && <Note>{t('reweighPage.declared', { weight: declared })}</Note>}
      {reading && (
        <Note>
          {t('phrase.labelled', {
            label: t('weighing.measured'),
            value: `${measures(reading)} (${format.dateTime(reading.at)})`,
          })}
        </Note>
      )}
      <Photos photos={parcel.photos} alt={t('parcelPage.senderPhoto')} />
      <Stack {...form.props} as="form" style={{ maxWidth: 640 }}>
        <WeightField field={form.field('weightGrams')} autoFocus />
        <SizeFields form={form} />
        <Note>{t('reweighPage.sizeHelp')}</Note>
        <TextField field={form.field('scaleReading')} help={t('reweighPage.readingHelp')} />
        <PhotoField
          label={t('fields.photoId')}
          help={t('reweighPage.photoHelp')}
          purpose="reweigh_photo"
          most={1}
          value={photos}
          onChange={setPhotos}
          onBusy={setSending}
        />
        <Buttons>
          <Button size="lg" onClick={onCancel}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" variant="filled" size="lg" loading={form.submitting || sending}>
            {t('reweighPage.save')}
          </Button>
        </Buttons>
      </Stack>
    </Panel>
  )
}

function toResult(weighing: Weighing, t: ReturnType<typeof useT>, format: Format): WeighingResult {
  const { differenceMinor, currency } = weighing
  const key = differenceMinor > 0 ? 'heavier' : differenceMinor < 0 ? 'lighter' : 'same'
  const text = t(`reweighPage.result.${key}`, { amount: format.money(Math.abs(differenceMinor), currency) })
  return { weighing, held: differenceMinor > 0, text }
}
