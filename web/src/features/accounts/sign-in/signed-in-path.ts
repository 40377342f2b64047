import { sessionStore } from '../../../lib/session.ts'
import { homePath } from '../shared/sign-in-path.ts'
import { safeNext } from './next.ts'

/** The mark of a link to the sign-in page from a session that has ended: its tokens are still stored. */
export const againMark = 'again'

/**
 * Where a signed-in user goes instead of signing in or registering; null: nobody is signed in, the session has ended,
 * or the link is an invitation, which may be for somebody else.
 */
export function signedInPath(search: string, origin: string = location.origin): string | null {
  const { auth, tokens } = sessionStore.getState()
  const params = new URLSearchParams(search)
  if (!tokens.access || !auth.user || params.has(againMark) || params.has('invitation')) return null
  return safeNext(search, homePath(auth.user.kind === 'staff'), origin)
}
