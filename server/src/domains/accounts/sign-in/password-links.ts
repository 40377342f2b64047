/** Mailed links that set a password: of an invitation, or sent by somebody who manages the user. */
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { days } from '../../../lib/clock.ts'
import { issueCode } from './codes.ts'
import { expireCodes } from './queries-codes.ts'

/** The purpose of these codes. Nobody learns their six digits. */
export const setPasswordPurpose = 'set_password'

/** Longer than a code's lifetime: an invitation is not expected. */
export const linkLivesDays = 3

export type PasswordLink = { url: string; expiresAt: Date }

/**
 * Issues a link that works once, and voids earlier ones. `first`: the page says "choose" instead of "change". `staff`:
 * it leads on to the staff's sign-in page.
 */
export async function issuePasswordLink(
  trx: DbOrTx,
  deps: Deps,
  userId: string,
  page: { first: boolean; staff: boolean },
): Promise<PasswordLink> {
  const payload = { userId }
  const code = { purpose: setPasswordPurpose, subject: userId, livesMs: days(linkLivesDays), payload }
  const { linkToken, expiresAt } = await issueCode(trx, deps, code)
  const marks = `${page.first ? '&first=1' : ''}${page.staff ? '&staff=1' : ''}`
  return { url: `${deps.config.http.publicUrl}/reset-password?token=${linkToken}${marks}`, expiresAt }
}

/** Voids a user's links after the password was set or the user removed. */
export async function voidPasswordLinks(trx: DbOrTx, deps: Deps, userId: string): Promise<void> {
  await expireCodes(trx, setPasswordPurpose, userId, deps.clock.now())
}
