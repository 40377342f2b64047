/** Mailed links to set a password, sent with an invitation or by a manager of the user. */
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { days } from '../../../lib/clock.ts'
import type { UserRow } from '../queries.ts'
import { issueCode } from './codes.ts'
import { mayUsePassword, requirePasswordFor } from './passwords.ts'
import { expireCodes } from './queries-codes.ts'

/** The purpose of these codes. Their six digits are never sent. */
export const setPasswordPurpose = 'set_password'

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
  const staff = user.kind === 'staff'
  const { publicUrl } = deps.config.http
  if (!mayUsePassword(deps, user)) {
    const url = `${publicUrl}${staff ? '/staff/login' : '/login'}?invitation=${linkToken}`
    return { url, expiresAt, leadsTo: 'join' }
  }
  const marks = `${invited ? '&first=1' : ''}${staff ? '&staff=1' : ''}`
  const url = `${publicUrl}/reset-password?token=${linkToken}${marks}`
  return { url, expiresAt, leadsTo: invited ? 'first' : 'change' }
}

/** Voids a user's links after the password was set or the user removed. */
export async function voidPasswordLinks(trx: DbOrTx, deps: Deps, userId: string): Promise<void> {
  await expireCodes(trx, setPasswordPurpose, userId, deps.clock.now())
}
