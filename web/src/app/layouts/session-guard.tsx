import { useNavigate } from '@tanstack/react-router'
import type { Session } from '@waybill/contract/accounts/sign-in'
import { useEffect, useRef, useState } from 'react'
import { confirm } from '../../components/confirm.tsx'
import { whenIdle } from '../../lib/browser/idle.ts'
import { onSessionExpired } from '../../lib/credentials.ts'
import { t } from '../../lib/i18n.ts'
import { untilTypingPauses, watchTyping } from '../../lib/input/typing.ts'
import { useSession } from '../../lib/session.ts'

async function loadDialogs() {
  const [{ SessionExpiredDialog }, { IdleWarning }] = await Promise.all([
    import('../../features/accounts/sign-in/session-expired-dialog.tsx'),
    import('./idle-warning.tsx'),
  ])
  return { SessionExpiredDialog, IdleWarning }
}

/** The browser has remembered that the dialogs cannot be loaded. After a reload they can. */
async function offerReload(): Promise<void> {
  const question = { title: t('auth.expired'), message: t('app.notLoaded'), action: t('app.reload') }
  if (!(await confirm(question))) return
  location.reload()
  // A failed call would end the session while the page is reloading.
  await new Promise(() => undefined)
}

type Asking = { answer: (session: Session | null) => void; fail: (error: unknown) => void }

/**
 * Warns an idle user, and asks for the password in a dialog when the session has ended; signing out anywhere leads to
 * the sign-in page.
 */
export function SessionGuard({ signInPath }: { signInPath: '/login' | '/staff/login' }) {
  const [asking, setAsking] = useState<Asking | null>(null)
  const [dialogs, setDialogs] = useState<Awaited<ReturnType<typeof loadDialogs>> | null>(null)
  const signedIn = useSession((state) => state.tokens.access !== null)
  const userId = useSession((state) => state.auth.user?.id)
  const shownTo = useRef(userId)
  const navigate = useNavigate()

  useEffect(() => {
    // Another user has signed in, in another tab: nothing of the first account must stay on the screen.
    if (userId && shownTo.current && shownTo.current !== userId) location.reload()
    shownTo.current = userId
  }, [userId])

  useEffect(watchTyping, [])

  useEffect(
    () =>
      onSessionExpired(async () => {
        // Often a background request notices it: the rest of what is being typed must not end up in the password field.
        await untilTypingPauses()
        return new Promise<Session | null>((resolve, reject) => {
          setAsking({ answer: resolve, fail: reject })
        }).finally(() => setAsking(null))
      }),
    [],
  )

  useEffect(() => {
    // Before they are needed, because a deployment may have replaced them by then. The requests of the page come first.
    whenIdle(() => void loadDialogs().then(setDialogs, () => undefined))
  }, [])

  useEffect(() => {
    if (!asking || dialogs) return
    loadDialogs().then(setDialogs, async (error) => {
      await offerReload()
      asking.fail(error)
    })
  }, [asking, dialogs])

  useEffect(() => {
    if (signedIn) return
    // Signed out here or in another tab: nothing of the account must stay on the screen.
    void navigate({ href: signInPath, reloadDocument: true })
  }, [signedIn, navigate, signInPath])

  if (!dialogs) return null
  return asking ? <dialogs.SessionExpiredDialog onAnswer={asking.answer} /> : <dialogs.IdleWarning />
}
