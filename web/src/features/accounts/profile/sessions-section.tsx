import { Button } from '@mantine/core'
import { deviceName } from '@waybill/contract/accounts/device-name'
import { endOtherSessions, endSession, listSessions } from '@waybill/contract/accounts/sign-in'
import { useState } from 'react'
import { TextButton } from '../../../components/buttons/link.tsx'
import { confirm } from '../../../components/confirm.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, LineList, Panel } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'

/** How many devices are listed before the others are requested. */
const few = 5

/** The devices that are signed in, each of which can be signed out. */
export function SessionsSection() {
  const t = useT()
  const format = useFormat()
  const sessions = useCall(listSessions, {})
  const end = useSend((id: string) => call(endSession, { params: { id } }), {
    refresh: [listSessions],
    success: t('profile.sessionEnded'),
  })
  const endOthers = useSend(() => call(endOtherSessions, {}), {
    refresh: [listSessions],
    success: t('profile.otherSessionsEnded'),
  })
  const askToEndOthers = async () => {
    const question = {
      title: t('profile.endOtherSessions'),
      message: t('profile.endOtherSessionsText'),
      action: t('profile.endSession'),
    }
    if (await confirm(question)) await endOthers.send()
  }
  const [all, setAll] = useState(false)
  const items = (sessions.data?.items ?? []).toSorted((a, b) => Number(b.current) - Number(a.current))
  const visible = all ? items : items.slice(0, few)
  return (
    <Panel style={{ maxWidth: 800 }} title={t('profile.sessions')}>
      {sessions.error ? (
        <ErrorPanel error={sessions.error} retry={() => void sessions.refetch()} />
      ) : sessions.data ? (
        <>
          <LineList>
            {visible.map((session) => (
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
          {items.length > 1 && (
            <Buttons>
              {visible.length < items.length && (
                <TextButton onClick={() => setAll(true)}>
                  {t('profile.allSessions', { count: format.number(items.length) })}
                </TextButton>
              )}
              <Button size="sm" disabled={endOthers.pending} onClick={() => void askToEndOthers()}>
                {t('profile.endOtherSessions')}
              </Button>
            </Buttons>
          )}
        </>
      ) : (
        <Loading />
      )}
    </Panel>
  )
}
