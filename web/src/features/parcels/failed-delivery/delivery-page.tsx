import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
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

/**
 * The page after a failed delivery without sign-in, of the receiver or of a sender without an account: the link in the
 * mail leads here.
 */
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

type LinkChoice = BodyOf<typeof makePublicDeliveryChoice>['kind']

function Shown({ token, choice }: { token: string; choice: PublicDeliveryChoice }) {
  const t = useT()
  const format = useFormat()
  const [kind, setKind] = useState<LinkChoice | null>(null)
  const details = useChoiceDetails(choice)
  const refresh = [getPublicDeliveryChoice]
  const choose = useSend(
    (kind: LinkChoice) => {
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
  const ofSender = choice.by === 'sender'
  const reason = t(`failureReason.${choice.failureReason ?? 'other'}`)
  return (
    <>
      <PageHeader title={t(ofSender ? 'receiverChoice.titleForSender' : 'receiverChoice.title')} description={number} />
      <Stack gap={24}>
        <p>{t(ofSender ? 'receiverChoice.leadForSender' : 'receiverChoice.lead', { reason, city: choice.city })}</p>
        <ChoiceCards
          legend={t(ofSender ? 'deliveryChoice.title' : 'receiverChoice.what')}
          name="kind"
          value={kind}
          onChange={(value) => setKind(value as LinkChoice)}
          choices={open.map((option) => ({
            value: option.kind,
            title: ofSender ? t(`deliveryChoice.kind.${option.kind}`) : t(`receiverChoice.kind.${option.kind}`),
            text: ofSender ? t(`deliveryChoice.text.${option.kind}`) : t(`receiverChoice.text.${option.kind}`),
            aside: t('deliveryChoice.free'),
          }))}
        />
        <ChoiceDetails kind={kind} choice={choice} details={details} />
        {kind && (
          <Button variant="filled" size="md" onClick={() => void choose.send(kind)} loading={choose.pending}>
            {ofSender ? t(`deliveryChoice.do.${kind}`) : t(`receiverChoice.do.${kind}`)}
          </Button>
        )}
        {open.length === 0 && <p>{t(ofSender ? 'receiverChoice.nothingForSender' : 'receiverChoice.nothing')}</p>}
        <Note>
          {t(ofSender ? 'receiverChoice.untilForSender' : 'deliveryChoice.until', {
            at: format.dateTime(choice.decideUntil),
          })}
        </Note>
      </Stack>
    </>
  )
}
