import { type DeliveryMode, deliveryModeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useDeliveryModes, useLabel } from '../../../lib/labels.ts'
import { isAbroad, type ParcelValues } from '../new-parcel/parcel-values.ts'
import { answerWith, getEnd, getStart, type Place } from './delivery-mode.ts'

const places = ['D', 'P'] as const

type Props = {
  form: ContractForm<ParcelValues>
  /** The parcel is at a counter already, so only its end is asked. */
  atCounter?: boolean
}

/** The delivery mode as two questions: does a rider pick up the parcel, and is it delivered to the door. */
export function DeliveryQuestions({ form, atCounter = false }: Props) {
  const t = useT()
  const label = useLabel()
  const mode = form.values.deliveryMode
  const abroad = isAbroad(form.values)
  const offered = useDeliveryModes()
    .map(({ value }) => value as DeliveryMode)
    .filter((value) => !abroad || !endsAtStation(value))

  const choices = (question: 'start' | 'end') =>
    places.map((place: Place) => {
      const isOffered = answerWith(offered, mode, question, place) !== null
      const why = abroad && question === 'end' ? 'abroad' : 'closed'
      return {
        value: place,
        title: t(`delivery.${question}.${place}`),
        text: isOffered ? undefined : t(`delivery.${why}`),
        disabled: !isOffered,
      }
    })
  const choose = (question: 'start' | 'end') => (place: string) => {
    const next = answerWith(offered, mode, question, place as Place)
    if (next) form.set('deliveryMode', next)
  }

  return (
    <Stack>
      {!atCounter && (
        <ChoiceCards
          legend={t('delivery.startQuestion')}
          name="deliveryMode"
          layout="pairs"
          value={getStart(mode)}
          error={form.field('deliveryMode').error}
          onChange={choose('start')}
          choices={choices('start')}
        />
      )}
      <ChoiceCards
        legend={t('delivery.endQuestion')}
        name="deliveryMode.end"
        layout="pairs"
        value={getEnd(mode)}
        onChange={choose('end')}
        choices={choices('end')}
      />
      <Quiet as="p">{t('delivery.called', { mode: label(deliveryModeLabels, mode) })}</Quiet>
    </Stack>
  )
}
