import { Button } from '@mantine/core'
import { party } from '@waybill/contract/addresses/addresses'
import { pin } from '@waybill/contract/ground/fields'
import {
  type ChoiceKind,
  type DeliveryChoice,
  getDeliveryChoice,
  makeDeliveryChoice,
  quoteDeliveryChoice,
} from '@waybill/contract/parcels/failed-delivery'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel, type ParcelDetail } from '@waybill/contract/parcels/parcels'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { notifyPaymentProblem } from '../../../components/feedback/payment-problem.ts'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { CodeField } from '../../../components/fields/code-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { isDecided, useCallOnce } from '../../../lib/once.ts'
import { useCall } from '../../../lib/query.ts'
import { PartyFields } from '../../addresses/shared/party-fields.tsx'
import { partyFieldBinder, toPartyInput, toPartyValues } from '../../addresses/shared/party-values.ts'
import { ChoiceDetails, useChoiceDetails } from './choice-details.tsx'
import { useChoiceMaker } from './choice-maker.ts'

/**
 * After a failed delivery: the sender's choices, each with its fee. Afterwards the choice that was made. If another
 * carrier has the parcel, there are none.
 */
export function DeliveryChoicePanel({ parcel }: { parcel: ParcelDetail }) {
  const hasFailed = parcel.status === 'fail-to-deliver' && parcel.leg === 'outbound' && !parcel.withOtherCarrier
  const answer = useCall(getDeliveryChoice, { params: { id: parcel.id } }, { enabled: hasFailed })
  if (!hasFailed || !answer.data) return null
  const may = parcel.allowedActions.includes('choose_delivery')
  return answer.data.waiting && may ? <Choose choice={answer.data} /> : <Chosen choice={answer.data} />
}

function Chosen({ choice }: { choice: DeliveryChoice }) {
  const t = useT()
  const choiceMaker = useChoiceMaker()
  const longDay = useLongDay()
  const { chosen: decision } = choice
  if (!decision) return null
  const date = decision.date ? longDay(decision.date) : ''
  return (
    <Panel gap={12} aria-labelledby="delivery-choice">
      <h2 id="delivery-choice">{t('deliveryChoice.chosenTitle')}</h2>
      <p>{t(`deliveryChoice.chosen.${decision.kind}`, { date, station: decision.station ?? '' })}</p>
      <Note>{choiceMaker(decision)}</Note>
    </Panel>
  )
}

const createForm = (withPin: boolean, withReceiver: boolean) =>
  z.object({
    receiver: withReceiver ? party : z.any(),
    pin: withPin ? pin : z.any(),
  })

function Choose({ choice }: { choice: DeliveryChoice }) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const [kind, setKind] = useState<ChoiceKind | null>(null)
  const details = useChoiceDetails(choice)
  /** The fee of the corrected address; null until it is known. */
  const [quote, setQuote] = useState<{ feeMinor: number; otherZone: boolean } | null>(null)
  const option = choice.options.find((each) => each.kind === kind)
  const correcting = kind === 'correct'
  const feeMinor = correcting ? (quote?.feeMinor ?? null) : (option?.feeMinor ?? null)
  const needsPin = (feeMinor ?? 0) > 0

  const form = useContractForm({
    schema: createForm(needsPin, correcting),
    initial: { receiver: toPartyValues(choice.receiver), pin: '' },
    prepare: (values) => ({ ...values, receiver: toPartyInput(values.receiver) }),
    onSubmit: async (values) => {
      if (!kind) return null
      const body = { kind, ...details.sentFor(kind), receiver: correcting ? values.receiver : null }
      const params = { id: choice.parcelId }
      if (feeMinor === null) {
        setQuote(await call(quoteDeliveryChoice, { params, body }))
        return null
      }
      const payment = { expectedFeeMinor: feeMinor, pin: needsPin ? values.pin : null }
      return callOnce(makeDeliveryChoice, { params, body: { ...body, ...payment } })
    },
    refresh: [getDeliveryChoice, getParcel, listParcels, getWallet],
    refreshOnError: [getDeliveryChoice, getParcel],
    success: (choice) => choice && t('deliveryChoice.done'),
    onError: (error) => {
      if (isDecided(error)) form.set('pin', '')
      return needsPin && notifyPaymentProblem(error, 'charge')
    },
  })
  const price = (amount: number) => (amount === 0 ? t('deliveryChoice.free') : format.money(amount, choice.currency))

  return (
    <Panel gap={12} aria-labelledby="delivery-choice">
      <h2 id="delivery-choice">{t('deliveryChoice.title')}</h2>
      <p>
        {t('deliveryChoice.lead', {
          attempt: choice.attempt,
          allowed: choice.attemptsAllowed,
          reason: t(`failureReason.${choice.failureReason ?? 'other'}`),
        })}
      </p>
      <Note>{t('deliveryChoice.until', { at: format.dateTime(choice.decideUntil) })}</Note>
      <Stack {...form.props} as="form">
        <ChoiceCards
          legend={t('deliveryChoice.title')}
          hiddenLegend
          name="kind"
          value={kind}
          onChange={(value) => {
            setKind(value as ChoiceKind)
            setQuote(null)
          }}
          choices={choice.options.map((each) => ({
            value: each.kind,
            title: t(`deliveryChoice.kind.${each.kind}`),
            text: each.reason ? t(`choiceClosed.${each.reason}`) : t(`deliveryChoice.text.${each.kind}`),
            aside: each.open
              ? each.kind === 'correct'
                ? t('deliveryChoice.from', { amount: price(each.feeMinor) })
                : price(each.feeMinor)
              : undefined,
            disabled: !each.open,
          }))}
        />
        <ChoiceDetails kind={kind} choice={choice} details={details} />
        {correcting && quote === null && <PartyFields field={partyFieldBinder(form, 'receiver')} />}
        {correcting && quote && (
          <p>
            {t(quote.otherZone ? 'deliveryChoice.otherZone' : 'deliveryChoice.sameZone', {
              amount: price(quote.feeMinor),
            })}
          </p>
        )}
        {needsPin && <CodeField field={form.field('pin', t('checkout.pin'))} mask />}
        {kind && (
          <Buttons>
            <Button type="submit" variant="filled" loading={form.submitting}>
              {feeMinor === null
                ? t('deliveryChoice.price')
                : feeMinor === 0
                  ? t(`deliveryChoice.do.${kind}`)
                  : t('deliveryChoice.doFor', {
                      action: t(`deliveryChoice.do.${kind}`),
                      amount: format.money(feeMinor, choice.currency),
                    })}
            </Button>
            {correcting && quote && <Button onClick={() => setQuote(null)}>{t('deliveryChoice.editAgain')}</Button>}
          </Buttons>
        )}
      </Stack>
    </Panel>
  )
}
