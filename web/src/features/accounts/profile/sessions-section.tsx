import { Button } from '@mantine/core'
import { deviceName } from '@waybill/contract/accounts/device-name'
import { endSession, listSessions } from '@waybill/contract/accounts/sign-in'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Loading } from '../../../components/loading.tsx'
import { ErrorPanel } from '../../../components/message-panel.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import classes from './account.module.css'

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
    <section className={classes.section}>
      <h2>{t('profile.sessions')}</h2>
      {sessions.error ? (
        <ErrorPanel error={sessions.error} retry={() => void sessions.refetch()} />
      ) : sessions.data ? (
        <ul className={classes.sessions}>
          {sessions.data.items.map((session) => (
            <li key={session.id}>
              <div>
                <div>{deviceName(session.userAgent) ?? t('profile.unknownDevice')}</div>
                <div className={classes.quiet}>
                  {session.current
                    ? t('profile.thisDevice')
                    : t('profile.lastUsed', { when: format.relative(session.lastUsedAt) })}
                </div>
              </div>
              {!session.current && (
                <Button size="sm" disabled={end.pending} onClick={() => void end.send(session.id)}>
                  {t('profile.endSession')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <Loading />
      )}
    </section>
  )
}
