/** Mailed links to set a password, sent with an invitation or by a manager of the user. */
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { days } from '../../../lib/clock.ts'
import type { UserRow } from '../queries.ts'
import { issueCode } from './codes.ts'
import { mayUsePassword, requirePasswordFor } from './passwords.ts'
import { expireCodes, expireCodesOfUser } from './queries-codes.ts'

/** The purpose of these codes. Their six digits are never sent. */
export const setPasswordPurpose = 'set_password'

/** The purpose of codes that a user requests who has forgotten the password. */
export const resetPurpose = 'reset_password'

/** Longer than a code's lifetime: an invitation is not expected. */
export const linkLivesDays = 3

/** `join`: the sign-in page, if passwords are off; `first`: a first password; `change`: a new one. */
export type PasswordLink = { url: string; expiresAt: Date; leadsTo: 'join' | 'first' | 'change' }

/** Whether a user has neither chosen a password nor signed in at an identity provider yet. */
export const isInvited = (user: Pick<UserRow, 'password_hash' | 'last_login_at'>): boolean =>
  user.password_hash === null && user.last_login_at === null

/**
 * Issues a link that works once, and voids earlier ones. If the user may not have a password, the link opens the
 * sign-in page and links the identity that signs in there.
 * @throws AppError passwords_off for a user who can use neither
 */
export async function issuePasswordLink(trx: DbOrTx, deps: Deps, user: UserRow): Promise<PasswordLink> {
  const invited = isInvited(user)
  if (!invited) requirePasswordFor(deps, user)
  const payload = { userId: user.id }
  const code = { purpose: setPasswordPurpose, subject: user.id, livesMs: days(linkLivesDays), payload }
  const { linkToken, expiresAt } = await issueCode(trx, deps, code)
  if (!mayUsePassword(deps, user)) {
    const signInPath = user.kind === 'staff' ? '/staff/login' : '/login'
    const url = `${deps.config.http.publicUrl}${signInPath}?invitation=${linkToken}`
    return { url, expiresAt, leadsTo: 'join' }
  }
  return { url: buildPasswordUrl(deps, user, linkToken), expiresAt, leadsTo: invited ? 'first' : 'change' }
}

/** The address of the page that sets a password. It leads on to the sign-in page of the user's side. */
export function buildPasswordUrl(deps: Deps, user: UserRow, linkToken: string): string {
  const marks = `${isInvited(user) ? '&first=1' : ''}${user.kind === 'staff' ? '&staff=1' : ''}`
  return `${deps.config.http.publicUrl}/reset-password?token=${linkToken}${marks}`
}

/** Voids every mailed link and code that sets a user's password: it was set, or the user may no longer sign in. */
export async function voidPasswordLinks(trx: DbOrTx, deps: Deps, userId: string): Promise<void> {
  const at = deps.clock.now()
  await expireCodes(trx, setPasswordPurpose, userId, at)
  await expireCodesOfUser(trx, resetPurpose, userId, at)
}
