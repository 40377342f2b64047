import { Button } from '@mantine/core'
import { deviceName } from '@waybill/contract/accounts/device-name'
import { endSession, listSessions } from '@waybill/contract/accounts/sign-in'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { LineList, Panel } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'

/** The devices that are signed in, each of which can be signed out. */
export function SessionsSection() {
  const t = useT()
  const format = useFormat()
  const sessions = useCall(listSessions, {})
  const end = useSend((id: string) => call(endSession, { params: { id } }), {
    refresh: [listSessions],
    success: t('profile.sessionEnded'),
  })
  return (
    <Panel style={{ maxWidth: 800 }} title={t('profile.sessions')}>
      {sessions.error ? (
        <ErrorPanel error={sessions.error} retry={() => void sessions.refetch()} />
      ) : sessions.data ? (
        <LineList>
          {sessions.data.items.map((session) => (
            <li key={session.id}>
              <div>
                <div>{deviceName(session.userAgent) ?? t('profile.unknownDevice')}</div>
                <Note as="div">
                  {session.current
                    ? t('profile.thisDevice')
                    : t('profile.lastUsed', { when: format.relative(session.lastUsedAt) })}
                </Note>
              </div>
              {!session.current && (
                <Button size="sm" disabled={end.pending} onClick={() => void end.send(session.id)}>
                  {t('profile.endSession')}
                </Button>
              )}
            </li>
          ))}
        </LineList>
      ) : (
        <Loading />
      )}
    </Panel>
  )
}
