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
import { notify } from '../../notifications/notify.ts'
import { findAccount, findUserByEmail, type UserRow } from '../queries.ts'
import { mailedCodes } from '../sign-in/codes.ts'
import { isInvited, issuePasswordLink, linkLivesDays, setPasswordPurpose } from '../sign-in/password-links.ts'
import { requirePasswordsOn } from '../sign-in/passwords.ts'
import { lockManaged } from './managed.ts'
import { findMember } from './queries-members.ts'

/** Invitations of one company: thirty at once, then a few more per hour. */
export const invitationsOfCompany: Throttle = {
  name: 'invitations',
  free: 30,
  firstWait: 300,
  longestWait: 3600,
  memory: 3600,
}

/** A user's address; until the first password is set, that of the invitation. */
export const mailAddress = (user: UserRow) => user.invited_email ?? user.email

/**
 * Mails a user a link to set a password. It works once and voids earlier ones. If the address belongs to another
 * account, its owner is notified by mail, and the inviter is not told.
 */
export async function sendInvitation(trx: Tx, deps: Deps, caller: CustomerCaller, user: UserRow): Promise<Date> {
  const account = await findAccount(trx, caller.accountId)
  const inviter = await findMember(trx, caller.accountId, caller.userId)
  const link = await issuePasswordLink(trx, deps, user)
  const existingUser =
    user.invited_email === null ? undefined : await findUserByEmail(trx, 'customer', user.invited_email)
  const kinds = { join: 'member_joins', first: 'member_invited', change: 'member_password' } as const
  await notify(deps, trx, {
    kind: existingUser ? 'member_known' : kinds[link.leadsTo],
    to: { email: mailAddress(user), language: (existingUser ?? user).language as Locale },
    facts: {
      name: (existingUser ?? user).name,
      inviter: inviter?.name ?? '',
      account: account?.name ?? '',
      days: linkLivesDays,
      url: existingUser ? `${deps.config.http.publicUrl}/login` : link.url,
    },
    expiresAt: existingUser ? undefined : link.expiresAt,
  })
  return link.expiresAt
}

/**
 * Sends a new link. Throws not_found, member_is_owner, member_rights, member_blocked, passwords_off, too_many_requests.
 */
export async function inviteAgain(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
): Promise<ResponseOf<typeof resendCredential>> {
  const { accountId, userId } = caller
  const lockInvited = async (trx: Tx) => {
    const { user } = await lockManaged(trx, caller, id)
    if (user.status === 'blacklisted') throw new AppError('member_blocked')
    if (!isInvited(user)) requirePasswordsOn(deps)
    return user
  }
  // Checked before anything is counted: a refusal must not use up the mails.
  await tx(deps.db, lockInvited)
  const at = deps.clock.now()
  await countThrottledAttempt(deps.db, mailedCodes, `${setPasswordPurpose} ${id}`, at)
  await countThrottledAttempt(deps.db, invitationsOfCompany, accountId, at)
  return tx(deps.db, async (trx) => {
    const user = await lockInvited(trx)
    await recordActivity(trx, { action: 'corporate.memberInvited', accountId, userId, subject: id, at })
    const expiresAt = await sendInvitation(trx, deps, caller, user)
    return { email: mailAddress(user), expiresAt: expiresAt.toISOString() }
  })
}
