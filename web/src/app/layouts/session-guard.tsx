import { useNavigate } from '@tanstack/react-router'
import type { Session } from '@waybill/contract/accounts/sign-in'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { onSessionExpired } from '../../lib/credentials.ts'
import { useSession } from '../../lib/session.ts'

const SessionExpiredDialog = lazy(async () => {
  const { SessionExpiredDialog } = await import('../../features/accounts/sign-in/session-expired-dialog.tsx')
  return { default: SessionExpiredDialog }
})

type Asking = { answer: (session: Session | null) => void }

/** Asks for the password in a dialog when the session has ended; signing out anywhere leads to the sign-in page. */
export function SessionGuard({ signInPath }: { signInPath: '/login' | '/staff/login' }) {
  const [asking, setAsking] = useState<Asking | null>(null)
  const signedIn = useSession((state) => state.tokens.access !== null)
  const userId = useSession((state) => state.auth.user?.id)
  const shownTo = useRef(userId)
  const navigate = useNavigate()

  useEffect(() => {
    // Another user has signed in, in another tab: nothing of the first account must stay on the screen.
    if (userId && shownTo.current && shownTo.current !== userId) location.reload()
    shownTo.current = userId
  }, [userId])

  useEffect(
    () =>
      onSessionExpired(
        () =>
          new Promise((resolve) => {
            setAsking({
              answer: (session) => {
                setAsking(null)
                resolve(session)
              },
            })
          }),
      ),
    [],
  )

  useEffect(() => {
    if (signedIn) return
    // Signed out here or in another tab: nothing of the account must stay on the screen.
    void navigate({ href: signInPath, reloadDocument: true })
  }, [signedIn, navigate, signInPath])

  return (
    asking && (
      <Suspense>
        <SessionExpiredDialog onAnswer={asking.answer} />
      </Suspense>
    )
  )
}
