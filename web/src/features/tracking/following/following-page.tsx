import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { confirmFollowing, endFollowing, type Following, getFollowing } from '@waybill/contract/tracking/following'
import { useState } from 'react'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Panel } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Notice } from '../../../components/layout/text.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'

/**
 * The page of the links in mails: it confirms following, or ends it. Only its buttons change anything, because mail
 * programs may open links automatically.
 */
export function FollowingPage() {
  const t = useT()
  const { token } = useParams({ from: '/public/public/following/$token' })
  const [stopped, setStopped] = useState(false)
  const answer = useCall(getFollowing, { params: { token } }, { staleTime: 0, enabled: !stopped })
  const deadLink = answer.error instanceof ApiError && answer.error.code === 'link_invalid'
  const track = (number?: string) => (
    <Button component="a" href={`/public/track-parcels${number ? `?no=${number}` : ''}`}>
      {t('followPage.track')}
    </Button>
  )
  if (stopped) {
    return (
      <>
        <PageHeader title={t('followPage.title')} />
        <MessagePanel
          kind="done"
          title={t('followPage.stopped')}
          text={t('followPage.stoppedText')}
          action={track(answer.data?.trackingNumber)}
        />
      </>
    )
  }
  if (answer.data) return <Open token={token} following={answer.data} onStopped={() => setStopped(true)} />
  return (
    <>
      <PageHeader title={t('followPage.title')} />
      {deadLink ? (
        <MessagePanel kind="empty" title={t('followPage.dead')} text={t('followPage.deadText')} action={track()} />
      ) : answer.error ? (
        <ErrorPanel error={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}

type OpenProps = { token: string; following: Following; onStopped: () => void }

function Open({ token, following, onStopped }: OpenProps) {
  const t = useT()
  const format = useFormat()
  const [justConfirmed, setJustConfirmed] = useState(false)
  const confirm = useSend(() => call(confirmFollowing, { params: { token } }), {
    refresh: [getFollowing],
    onSuccess: () => setJustConfirmed(true),
  })
  const end = useSend(() => call(endFollowing, { params: { token } }), { onSuccess: onStopped })
  const { trackingNumber, confirmed } = following
  return (
    <>
      <PageHeader
        title={t('followPage.title')}
        description={<CopyNumber value={trackingNumber} text={format.trackingNumber(trackingNumber)} />}
      />
      <Panel>
        {justConfirmed && (
          <Notice tone="success" role="status">
            {t('followPage.confirmed')}. {t('followPage.confirmedText')}
          </Notice>
        )}
        {!justConfirmed && <p>{t(confirmed ? 'followPage.stopLead' : 'followPage.confirmLead')}</p>}
        <Buttons>
          {!confirmed && (
            <Button variant="filled" loading={confirm.pending} onClick={() => void confirm.send()}>
              {t('followPage.confirm')}
            </Button>
          )}
          <Button
            variant={confirmed && !justConfirmed ? 'filled' : 'default'}
            loading={end.pending}
            onClick={() => void end.send()}
          >
            {t(confirmed ? 'followPage.stop' : 'followPage.decline')}
          </Button>
          <Button component="a" href={`/public/track-parcels?no=${trackingNumber}`}>
            {t('followPage.track')}
          </Button>
        </Buttons>
      </Panel>
    </>
  )
}
