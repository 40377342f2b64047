/** The signed-in user: profile and password. */

import type {
  changePassword,
  forgetPassword,
  putProfile,
  resetPassword,
  SessionUser,
} from '@waybill/contract/accounts/sign-in'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { countThrottledAttempt, resetThrottle, type Throttle } from '../../../http/limits/throttle.ts'
import { addJob, type Jobs } from '../../../jobs/jobs.ts'
import { later, minutes } from '../../../lib/clock.ts'
import { randomToken } from '../../../lib/crypto.ts'
import { isPhone } from '../../../lib/phone.ts'
import { notify } from '../../notifications/notify.ts'
import { mailAddress } from '../company/invitations.ts'
import { confirmInvitedAddress } from '../company/queries-members.ts'
import type { Device } from '../devices/request-device.ts'
import { presentUser } from '../present.ts'
import { endSessions, findUser, findUserByEmail, type UserRow, updatePassword, updateProfile } from '../queries.ts'
import { findIdentity, revokeTokens } from '../rights.ts'
import {
  codeError,
  codeLivesMs,
  fillCode,
  hashBrowserToken,
  mailedCodes,
  reserveCode,
  spendCode,
} from '../sign-in/codes.ts'
import { buildPasswordUrl, resetPurpose, setPasswordPurpose, voidPasswordLinks } from '../sign-in/password-links.ts'
import {
  hashPassword,
  requirePasswordFor,
  requirePasswordsOn,
  requireUncommonPassword,
  verifyPassword,
} from '../sign-in/passwords.ts'
import { mailProof } from '../sign-in/registration.ts'

/** Limits attempts to guess the current password on a signed-in device. */
const passwordTries: Throttle = { name: 'present password', free: 5, firstWait: 5, longestWait: 900, memory: 3600 }

/** The signed-in user, read from the database because it may be newer than the token. */
export async function readProfile(deps: Deps, caller: UserCaller): Promise<SessionUser> {
  const identity = await findIdentity(deps.db, caller.userId)
  if (!identity) throw new AppError('session_expired')
  return presentUser(deps, identity)
}

/** @throws AppError phone_invalid, version_conflict */
export async function changeProfile(
  deps: Deps,
  caller: UserCaller,
  { version, ...set }: BodyOf<typeof putProfile>,
): Promise<SessionUser> {
  if (set.phone !== null && !isPhone(set.phone)) {
    throw new AppError('phone_invalid', { fields: [{ field: 'phone', rule: 'phone' }] })
  }
  await tx(deps.db, async (trx) => {
    const at = deps.clock.now()
    if (!(await updateProfile(trx, caller.userId, version, set, at))) throw new AppError('version_conflict')
    const accountId = caller.kind === 'customer' ? caller.accountId : null
    await recordActivity(trx, { action: 'auth.profileChanged', accountId, userId: caller.userId, at })
  })
  return readProfile(deps, caller)
}

/**
 * Requests a password reset. A job checks whether the user exists, so the answer takes the same time for every
 * address. Wrong codes are counted from now on in either case.
 */
export async function requestPasswordReset(
  deps: Deps,
  { email, side }: BodyOf<typeof forgetPassword>,
): Promise<ResponseOf<typeof forgetPassword>> {
  requirePasswordsOn(deps)
  const now = deps.clock.now()
  await countThrottledAttempt(deps.db, mailedCodes, `${resetPurpose} ${email}`, now)
  const browserToken = randomToken()
  await tx(deps.db, async (trx) => {
    const subject = hashBrowserToken(browserToken)
    const codeId = await reserveCode(trx, deps, { purpose: resetPurpose, subject, livesMs: codeLivesMs })
    await addJob(trx, 'accounts:forgot-password', { email, codeId, side })
  })
  return { email, expiresAt: later(now, codeLivesMs).toISOString(), browserToken }
}

/** The job behind `requestPasswordReset`, for the user of the side on which it was requested. */
export async function sendReset(
  deps: Deps,
  { email, codeId, side = 'customer' }: Jobs['accounts:forgot-password'],
): Promise<void> {
  await tx(deps.db, async (trx) => {
    const user = await findUserByEmail(trx, side, email)
    if (!user || user.status === 'blacklisted') return
    const issued = await fillCode(trx, deps, codeId, { userId: user.id })
    if (!issued) return
    await notify(deps, trx, {
      kind: 'reset_password',
      to: { users: [user.id] },
      facts: {
        code: issued.code,
        minutes: codeLivesMs / minutes(1),
        url: buildPasswordUrl(deps, user, issued.linkToken),
      },
      expiresAt: issued.expiresAt,
    })
  })
}

/**
 * Sets a new password by mailed code or link. Every session of the user ends.
 * @throws AppError passwords_off and password_common, which use up no code; code_wrong, code_expired, code_used,
 * code_void, link_invalid; email_taken if the invited address got an account meanwhile.
 */
export async function resetByCode(deps: Deps, body: BodyOf<typeof resetPassword>, device: Device): Promise<void> {
  const proof = mailProof(body)
  const passwordHash = await hashPassword(body.password)
  const result = await tx(deps.db, async (trx) => {
    const mailed = await spendCode(trx, deps, resetPurpose, proof)
    // The link of an invitation also sets a password.
    const isInvitation = !mailed.ok && mailed.error === 'link_invalid'
    const code = isInvitation ? await spendCode(trx, deps, setPasswordPurpose, proof) : mailed
    if (!code.ok) return code
    const user = await findUser(trx, String(code.payload.userId))
    if (!user) return { ok: false, error: 'code_wrong' } as const
    requirePasswordFor(deps, user)
    requireUncommonPassword(body.password, mailAddress(user))
    if (user.invited_email !== null) await confirmInvitedAddress(trx, user.id, deps.clock.now())
    await setPassword(trx, deps, user, passwordHash, null, 'auth.resetPassword', device)
    await revokeTokens(trx, deps, user.id)
    return code
  })
  if (!result.ok) throw codeError(result.error)
}

/**
 * Verifies the caller's current password. A wrong one is counted and recorded in the activity log.
 * @throws AppError password_wrong; too_many_requests after several wrong ones.
 */
export async function requireOwnPassword(
  deps: Deps,
  caller: UserCaller,
  password: string,
  device: Device,
): Promise<UserRow> {
  const at = deps.clock.now()
  await countThrottledAttempt(deps.db, passwordTries, caller.userId, at)
  const user = await findUser(deps.db, caller.userId)
  if (user && (await verifyPassword(user.password_hash, password))) {
    await resetThrottle(deps.db, passwordTries, caller.userId)
    return user
  }
  await recordActivity(deps.db, {
    action: 'auth.passwordFailed',
    level: 'WARNING',
    accountId: user?.account_id ?? null,
    userId: caller.userId,
    ip: device.ip,
    at,
  })
  throw new AppError('password_wrong', { fields: [{ field: 'currentPassword', rule: 'passwordWrong' }] })
}

/**
 * Changes the caller's password after verifying the current one. The other sessions end.
 * @throws AppError password_wrong, password_common; too_many_requests after several wrong ones.
 */
export async function changeOwnPassword(
  deps: Deps,
  caller: UserCaller,
  body: BodyOf<typeof changePassword>,
  device: Device,
): Promise<void> {
  const user = await requireOwnPassword(deps, caller, body.currentPassword, device)
  requirePasswordFor(deps, user)
  requireUncommonPassword(body.password, user.email)
  const passwordHash = await hashPassword(body.password)
  await tx(deps.db, (trx) =>
    setPassword(trx, deps, user, passwordHash, caller.sessionId, 'auth.changePassword', device),
  )
}

async function setPassword(
  trx: Tx,
  deps: Deps,
  user: UserRow,
  passwordHash: string,
  keptSession: string | null,
  action: string,
  device: Device,
): Promise<void> {
  const at = deps.clock.now()
  await updatePassword(trx, user.id, passwordHash, at)
  // Whoever reads an earlier mail must not set another password.
  await voidPasswordLinks(trx, deps, user.id)
  const sessionIds = await endSessions(trx, user.id, { except: keptSession }, at)
  await revokeTokens(trx, deps, ...sessionIds)
  await recordActivity(trx, {
    action,
    level: 'NOTICE',
    accountId: user.account_id,
    userId: user.id,
    detail: { endedSessions: sessionIds.length },
    ip: device.ip,
    at,
  })
  // Setting a first password needs no warning mail.
  if (user.password_hash === null) return
  await notify(deps, trx, { kind: 'password_changed', to: { users: [user.id] } })
}
