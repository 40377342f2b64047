import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import {
  getPublicDeliveryChoice,
  makePublicDeliveryChoice,
  type PublicDeliveryChoice,
} from '@waybill/contract/parcels/failed-delivery'
import { useState } from 'react'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { ChoiceDetails, useChoiceDetails } from './choice-details.tsx'

/** The receiver's page after a failed delivery, without sign-in: the link in the mail leads here. */
export function DeliveryPage() {
  const t = useT()
  const { token } = useParams({ from: '/public/public/delivery/$token' })
  const answer = useCall(getPublicDeliveryChoice, { params: { token } }, { staleTime: 0 })
  if (answer.data) return <Shown token={token} choice={answer.data} />
  // A retry would not help.
  const deadLink = answer.error instanceof ApiError && answer.error.code === 'link_invalid'
  return (
    <>
      <PageHeader title={t(deadLink ? 'receiverChoice.deadTitle' : 'receiverChoice.title')} />
      {deadLink ? (
        <MessagePanel
          kind="empty"
          title={t('receiverChoice.dead')}
          text={t('receiverChoice.deadText')}
          action={
            <Button component="a" href="/public/track-parcels">
              {t('receiverChoice.track')}
            </Button>
          }
        />
      ) : answer.error ? (
        <ErrorPanel error={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}

function Shown({ token, choice }: { token: string; choice: PublicDeliveryChoice }) {
  const t = useT()
  const format = useFormat()
  const [kind, setKind] = useState<'retry' | 'divert' | null>(null)
  const details = useChoiceDetails(choice)
  const refresh = [getPublicDeliveryChoice]
  const choose = useSend(
    (kind: 'retry' | 'divert') => {
      const body = { kind, ...details.sentFor(kind) }
      return call(makePublicDeliveryChoice, { params: { token }, body })
    },
    { refresh, refreshOnError: refresh },
  )
  const day = useLongDay()
  const number = <CopyNumber value={choice.trackingNumber} text={format.trackingNumber(choice.trackingNumber)} />
  const { chosen: decision } = choice
  if (!choice.waiting) {
    return (
      <>
        <PageHeader title={t(decision ? 'receiverChoice.settled' : 'receiverChoice.overTitle')} description={number} />
        <MessagePanel
          kind={decision ? 'done' : 'empty'}
          title={
            decision
              ? t(`receiverChoice.chosen.${decision.kind}`, {
                  date: decision.date ? day(decision.date) : '',
                  station: decision.station ?? '',
                })
              : t('receiverChoice.over')
          }
          text={t('receiverChoice.overText')}
          action={
            <Button component="a" href={`/public/track-parcels?no=${choice.trackingNumber}`}>
              {t('receiverChoice.track')}
            </Button>
          }
        />
      </>
    )
  }
  const open = choice.options.filter((option) => option.open)
  return (
    <>
      <PageHeader title={t('receiverChoice.title')} description={number} />
      <p>
        {t('receiverChoice.lead', { reason: t(`failureReason.${choice.failureReason ?? 'other'}`), city: choice.city })}
      </p>
      <Stack gap={24}>
        <ChoiceCards
          legend={t('receiverChoice.what')}
          name="kind"
          value={kind}
          onChange={(value) => setKind(value as 'retry' | 'divert')}
          choices={open.map((option) => ({
            value: option.kind,
            title: t(`receiverChoice.kind.${option.kind}`),
            text: t(`receiverChoice.text.${option.kind}`),
            aside: t('deliveryChoice.free'),
          }))}
        />
        <ChoiceDetails kind={kind} choice={choice} details={details} />
        {kind && (
          <Button variant="filled" size="md" onClick={() => void choose.send(kind)} loading={choose.pending}>
            {t(`receiverChoice.do.${kind}`)}
          </Button>
        )}
        {open.length === 0 && <p>{t('receiverChoice.nothing')}</p>}
        <Note>{t('deliveryChoice.until', { at: format.dateTime(choice.decideUntil) })}</Note>
      </Stack>
    </>
  )
}
