import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { Dialog, DialogFoot } from '../../components/feedback/dialog.tsx'
import { Note } from '../../components/layout/text.tsx'
import { endIdleSession, reportActivity } from '../../lib/credentials.ts'
import { useT } from '../../lib/i18n.ts'
import { type IdlePhase, recordAction, watchActivity } from '../../lib/input/activity.ts'
import { useSession } from '../../lib/session.ts'
import { currentView } from '../../lib/view.ts'

/** Warns a user who has done nothing for long that the session ends, and ends it. Any action keeps it. */
export function IdleWarning() {
  const minutes = useSession((state) => state.setting.settings?.idleMinutes)
  // A view by staff cannot be renewed and ends by itself, but what is done in it is done by the member of staff.
  const limitMs = minutes && !currentView ? minutes * 60_000 : Number.POSITIVE_INFINITY
  const [phase, setPhase] = useState<IdlePhase>('active')
  useEffect(() => watchActivity(limitMs, { onPhase: setPhase, report: reportActivity }), [limitMs])
  useEffect(() => {
    if (phase === 'over') endIdleSession()
  }, [phase])
  return phase === 'ending' && <EndingDialog onStay={() => setPhase('active')} />
}

function EndingDialog({ onStay }: { onStay: () => void }) {
  const t = useT()
  const stay = () => {
    recordAction()
    onStay()
  }
  // What is typed goes to where the focus was, so that no scan of a hand scanner is lost.
  const onKey = useEffectEvent(({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    const isCharacter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
    if (isCharacter) flushSync(stay)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listener, true)
    return () => removeEventListener('keydown', listener, true)
  }, [])
  return (
    <Dialog title={t('auth.idleTitle')} onClose={stay} cross={false} alert>
      <Note>{t('auth.idleText')}</Note>
      <DialogFoot>
        <Button variant="filled" onClick={stay}>
          {t('auth.idleStay')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
