/** Invitations of a company's users. */
import type { resendCredential } from '@waybill/contract/accounts/company'
import type { Locale } from '@waybill/contract/ground/constants'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { countThrottledAttempt, type Throttle } from '../../../http/limits/throttle.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { days } from '../../../lib/clock.ts'
import { passwordsOn } from '../../settings/login-methods.ts'
import { findAccount, findUserByEmail, type UserRow } from '../queries.ts'
import { issueCode, mailedCodes } from '../sign-in/codes.ts'
import { requirePasswordsOn } from '../sign-in/passwords.ts'
import { expireCodes } from '../sign-in/queries-codes.ts'
import { findMember } from './queries-members.ts'

/** Links to set a first password. They are codes whose six digits nobody learns. */
export const firstPassword = 'set_password'

/** Longer than a code's lifetime: an invitation is not expected. */
const linkLivesDays = 3

/** Invitations of one company: thirty at once, then a few more per hour. */
export const invitationsOfCompany: Throttle = {
  name: 'invitations',
  free: 30,
  firstWait: 300,
  longestWait: 3600,
  memory: 3600,
}

/** A user's address; until the first password that of the invitation. */
export const mailAddress = (user: UserRow) => user.invited_email ?? user.email

/** Whether a user has neither chosen a password nor signed in at an identity provider yet. */
export const isInvited = (user: UserRow) => user.password_hash === null && user.last_login_at === null

/**
 * Mails a user a link to set a password. It works once, and voids earlier ones. If the address has an account
 * elsewhere, its owner is told so by mail, and the inviter does not learn it.
 */
export async function sendInvitation(trx: Tx, deps: Deps, caller: CustomerCaller, user: UserRow): Promise<Date> {
  const payload = { userId: user.id }
  const codeRequest = { purpose: firstPassword, subject: user.id, livesMs: days(linkLivesDays), payload }
  const issued = await issueCode(trx, deps, codeRequest)
  const account = await findAccount(trx, caller.accountId)
  const inviter = await findMember(trx, caller.accountId, caller.userId)
  const first = isInvited(user)
  // Without passwords the link leads to the sign-in page, and connects whoever signs in there.
  const joins = first && !passwordsOn(deps.settings)
  const known = user.invited_email === null ? undefined : await findUserByEmail(trx, 'customer', user.invited_email)
  await addJob(trx, 'mail:send', {
    to: mailAddress(user),
    template: known ? 'member_known' : joins ? 'member_joins' : first ? 'member_invited' : 'member_password',
    locale: (known ?? user).language as Locale,
    vars: {
      name: (known ?? user).name,
      inviter: inviter?.name ?? '',
      account: account?.name ?? '',
      days: linkLivesDays,
      url: known
        ? `${deps.config.http.publicUrl}/login`
        : joins
          ? `${deps.config.http.publicUrl}/login?invitation=${issued.linkToken}`
          : `${deps.config.http.publicUrl}/reset-password?token=${issued.linkToken}${first ? '&first=1' : ''}`,
    },
  })
  return issued.expiresAt
}

/** Voids a user's links after the password was set or the user removed. */
export async function voidInvitations(trx: Tx, deps: Deps, userId: string): Promise<void> {
  await expireCodes(trx, firstPassword, userId, deps.clock.now())
}

/** Sends a new link. Throws not_found, member_blocked, passwords_off, too_many_requests. */
export async function inviteAgain(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
): Promise<ResponseOf<typeof resendCredential>> {
  const { accountId, userId } = caller
  const user = await findMember(deps.db, accountId, id)
  if (!user) throw new AppError('not_found')
  if (user.status === 'blacklisted') throw new AppError('member_blocked')
  if (!isInvited(user)) requirePasswordsOn(deps)
  const at = deps.clock.now()
  await countThrottledAttempt(deps.db, mailedCodes, `${firstPassword} ${id}`, at)
  await countThrottledAttempt(deps.db, invitationsOfCompany, accountId, at)
  const expiresAt = await tx(deps.db, async (trx) => {
    await recordActivity(trx, { action: 'corporate.memberInvited', accountId, userId, subject: id, at })
    return sendInvitation(trx, deps, caller, user)
  })
  return { email: mailAddress(user), expiresAt: expiresAt.toISOString() }
}
