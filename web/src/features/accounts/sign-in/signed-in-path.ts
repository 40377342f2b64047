import { sessionStore } from '../../../lib/session.ts'
import { homePath } from '../shared/sign-in-path.ts'
import { safeNext } from './next.ts'

/** The mark of a link to the sign-in page from a session that has ended: its tokens are still stored. */
export const againMark = 'again'

/**
 * The page for a signed-in user who opens the sign-in or registration page. Null: there is no open session, or the link
 * is an invitation, which may be meant for another person.
 */
export function signedInPath(search: string, origin: string = location.origin): string | null {
  const { auth, tokens } = sessionStore.getState()
  const params = new URLSearchParams(search)
  if (!tokens.access || !auth.user || params.has(againMark) || params.has('invitation')) return null
  return safeNext(search, homePath(auth.user.kind === 'staff'), origin)
}
