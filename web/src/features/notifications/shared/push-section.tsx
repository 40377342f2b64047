import { Button } from '@mantine/core'
import { getPush } from '@waybill/contract/notifications/push'
import { Time } from '../../../components/display/time.tsx'
import { notify } from '../../../components/feedback/notify.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { LineList, Panel, Row } from '../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { switchPushOff, switchPushOn } from './push.ts'
import { canPush } from './subscribe-browser.ts'

/** Push messages: switched on for this browser, and the other browsers that get them. */
export function PushSection() {
  const t = useT()
  const userId = useSession((state) => state.auth.user?.id)
  const push = useCall(getPush, {})
  const publicKey = push.data?.publicKey ?? null
  const on = useSend(
    async () => {
      if (publicKey === null || userId === undefined) return
      const outcome = await switchPushOn(publicKey, userId)
      if (outcome === 'denied') notify.info(t('notifications.pushDenied'))
      else if (outcome === 'failed') notify.warning(t('notifications.pushFailed'))
    },
    { refresh: [getPush] },
  )
  const off = useSend(switchPushOff, { refresh: [getPush] })
  if (publicKey === null || !push.data) return null
  const { devices } = push.data
  return (
    <Panel title={t('notifications.pushTitle')} style={{ maxWidth: 800 }}>
      <Note>{t(canPush() ? 'notifications.pushHint' : 'notifications.pushImpossible')}</Note>
      {devices.length > 0 && (
        <LineList as="ul" aria-label={t('notifications.pushTitle')}>
          {devices.map(({ id, name, current, createdAt }) => (
            <Row as="li" key={id} justify="between">
              <span>
                {name ?? t('profile.unknownDevice')}
                {current && ` · ${t('notifications.thisBrowser')}`}
                <Quiet>
                  <Time at={createdAt} />
                </Quiet>
              </span>
              <Button
                size="compact-sm"
                loading={off.pending}
                aria-label={t('phrase.labelled', {
                  label: t('notifications.pushOff'),
                  value: name ?? t('profile.unknownDevice'),
                })}
                onClick={() => void off.send({ id, current })}
              >
                {t('notifications.pushOff')}
              </Button>
            </Row>
          ))}
        </LineList>
      )}
      {canPush() && !devices.some(({ current }) => current) && (
        <div>
          <Button loading={on.pending} onClick={() => void on.send()}>
            {t('notifications.pushOn')}
          </Button>
        </div>
      )}
    </Panel>
  )
}
