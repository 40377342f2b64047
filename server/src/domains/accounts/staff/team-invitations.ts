/** Invitations of staff, and links to set a new password. */
import type { Colleague, inviteColleague, sendColleagueLink } from '@waybill/contract/accounts/team'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { countThrottledAttempt, type Throttle } from '../../../http/limits/throttle.ts'
import { newId } from '../../../lib/ids.ts'
import { notify } from '../../notifications/notify.ts'
import { endMember } from '../company/queries-members.ts'
import { insertUser, type UserRow } from '../queries.ts'
import { revokeTokens } from '../rights.ts'
import { mailedCodes } from '../sign-in/codes.ts'
import {
  isInvited,
  issuePasswordLink,
  linkLivesDays,
  setPasswordPurpose,
  voidPasswordLinks,
} from '../sign-in/password-links.ts'
import { lockStaff } from './queries-team.ts'
import { checkPhone, lockColleague, readColleague, requireReach, requireStanding } from './team.ts'

/** Limits mails of one member of staff to others: thirty at once, then a few more per hour. */
const linksOfOne: Throttle = { name: 'staff links', free: 30, firstWait: 300, longestWait: 3600, memory: 3600 }

/** Queues the mail with a link that sets a password. It works once, and voids earlier ones. */
async function mailLink(trx: Tx, deps: Deps, actor: UserRow, user: UserRow): Promise<Date> {
  const { url, expiresAt, leadsTo } = await issuePasswordLink(trx, deps, user)
  const kinds = { join: 'staff_joins', first: 'staff_invited', change: 'staff_password' } as const
  await notify(deps, trx, {
    kind: kinds[leadsTo],
    to: { email: user.email, language: user.language as Locale },
    facts: { name: user.name, inviter: actor.name, email: user.email, days: linkLivesDays, url },
    expiresAt,
  })
  return expiresAt
}

/**
 * Adds a member of staff and mails a link to choose a password. Throws email_taken, phone_invalid, user_rank for a
 * position above the caller's own, too_many_requests.
 */
export async function addColleague(
  deps: Deps,
  caller: StaffCaller,
  body: BodyOf<typeof inviteColleague>,
  ip: string,
): Promise<Colleague> {
  checkPhone(body.phone)
  const id = newId()
  const at = deps.clock.now()
  const position = { staffType: body.type, staffRole: body.role, stationId: body.stationId }
  await countThrottledAttempt(deps.db, linksOfOne, caller.userId, at)
  await tx(deps.db, async (trx) => {
    const [actor] = await lockStaff(trx, [caller.userId])
    requireReach(requireStanding(actor), position)
    await insertUser(trx, {
      id,
      kind: 'staff',
      email: body.email,
      name: body.name,
      phone: body.phone,
      language: body.language,
      staff_type: body.type,
      staff_role: body.role,
      station_id: body.stationId,
      created_at: at,
      updated_at: at,
    })
    const detail = { type: body.type, role: body.role, stationId: body.stationId }
    await recordActivity(trx, {
      action: 'users.invited',
      level: 'NOTICE',
      userId: caller.userId,
      subject: id,
      detail,
      ip,
      at,
    })
    const [user] = await lockStaff(trx, [id])
    if (actor && user) await mailLink(trx, deps, actor, user)
  })
  return readColleague(deps, caller, id)
}

/**
 * Mails a colleague a new link: the invitation again, or one to replace a password, which stays valid until then.
 * Throws not_found, user_is_you, user_rank, too_many_requests; member_blocked unless they are active; passwords_off.
 */
export async function sendLinkToColleague(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  ip: string,
): Promise<ResponseOf<typeof sendColleagueLink>> {
  const at = deps.clock.now()
  // Checked before anything is counted: a wrong id must not use up the caller's mails.
  await readColleague(deps, caller, id)
  await countThrottledAttempt(deps.db, mailedCodes, `${setPasswordPurpose} ${id}`, at)
  await countThrottledAttempt(deps.db, linksOfOne, caller.userId, at)
  return tx(deps.db, async (trx) => {
    const { actor, user } = await lockColleague(trx, caller, id)
    if (user.status !== 'active') throw new AppError('member_blocked')
    const action = isInvited(user) ? 'users.invitedAgain' : 'users.passwordLink'
    await recordActivity(trx, { action, level: 'NOTICE', userId: caller.userId, subject: id, ip, at })
    const expiresAt = await mailLink(trx, deps, actor, user)
    return { email: user.email, expiresAt: expiresAt.toISOString() }
  })
}

/**
 * Withdraws an invitation that was not accepted yet. Throws not_found, user_is_you, user_rank; invitation_accepted:
 * users who have worked here must stay on record and are blocked instead.
 */
export async function withdrawColleague(deps: Deps, caller: StaffCaller, id: string, ip: string): Promise<void> {
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const { user } = await lockColleague(trx, caller, id)
    if (!isInvited(user)) throw new AppError('invitation_accepted')
    await endMember(trx, id, at)
    await voidPasswordLinks(trx, deps, id)
    await revokeTokens(trx, deps, id)
    const detail = { name: user.name, email: user.email }
    await recordActivity(trx, {
      action: 'users.withdrawn',
      level: 'NOTICE',
      userId: caller.userId,
      subject: id,
      detail,
      ip,
      at,
    })
  })
}
