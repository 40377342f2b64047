/** Sign-in with a second factor. */
import type {
  confirmFactor,
  FactorSetup,
  SecondFactorStep,
  setUpFactor,
  signInWithFactor,
} from '@waybill/contract/accounts/second-factor'
import type { Session } from '@waybill/contract/accounts/sign-in'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { countThrottledAttempt, resetThrottle } from '../../../http/limits/throttle.ts'
import { minutes } from '../../../lib/clock.ts'
import { sha256 } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import type { Device } from '../devices/request-device.ts'
import type { LockedIdentity } from '../present.ts'
import type { UserRow } from '../queries.ts'
import { lockRights, maySignIn } from '../rights.ts'
import { issueCode } from '../sign-in/codes.ts'
import { lockCodeOfLink, markCodeUsed } from '../sign-in/queries-codes.ts'
import { finishSignIn } from '../sign-in/sessions.ts'
import { mailFactorChange } from './mail.ts'
import {
  confirmPreparedFactor,
  factorTries,
  hasFactor,
  prepareFactor,
  spendFactorCode,
  wrongFactorCode,
} from './service.ts'

const purpose = 'second_factor'
const ticketLivesMs = minutes(10)

/** Ties a ticket to the password: it is void once the password changes. */
const passwordMark = (user: UserRow) => sha256(user.password_hash ?? '').toString('base64url')

/** Issues a ticket, which proves that the password was right while the second factor is requested. */
export async function issueTicket(trx: Tx, deps: Deps, user: UserRow): Promise<SecondFactorStep> {
  const payload = { userId: user.id, password: passwordMark(user) }
  // Every ticket has its own subject, so that a parallel sign-in voids nothing.
  const { linkToken } = await issueCode(trx, deps, { purpose, subject: newId(), livesMs: ticketLivesMs, payload })
  return { ticket: linkToken, step: (await hasFactor(trx, user.id)) ? 'code' : 'setup' }
}

/** @throws AppError sign_in_again if the ticket is used or expired, or its user may no longer sign in. */
async function lockTicket(trx: Tx, deps: Deps, ticket: string): Promise<{ id: string; identity: LockedIdentity }> {
  const row = await lockCodeOfLink(trx, purpose, sha256(ticket))
  if (!row || row.used_at !== null || row.expires_at <= deps.clock.now()) throw new AppError('sign_in_again')
  const payload = row.payload as { userId: string; password: string }
  const identity = await lockRights(trx, deps, payload.userId)
  if (!identity || !maySignIn(identity) || passwordMark(identity.user) !== payload.password)
    throw new AppError('sign_in_again')
  return { id: row.id, identity }
}

/** The user of a ticket, after counting one more attempt. */
async function countTry(deps: Deps, ticket: string): Promise<string> {
  const { identity } = await tx(deps.db, (trx) => lockTicket(trx, deps, ticket))
  await countThrottledAttempt(deps.db, factorTries, identity.user.id, deps.clock.now())
  return identity.user.id
}

async function recordWrongCode(trx: Tx, deps: Deps, userId: string, device: Device): Promise<void> {
  const at = deps.clock.now()
  await recordActivity(trx, { action: 'auth.secondFactorFailed', level: 'WARNING', userId, ip: device.ip, at })
}

/**
 * Signs in with a code of the app or a recovery code, after the password.
 * @throws AppError sign_in_again, factor_code_wrong, too_many_requests
 */
export async function signInByFactor(
  deps: Deps,
  { ticket, code }: BodyOf<typeof signInWithFactor>,
  device: Device,
): Promise<Session> {
  const userId = await countTry(deps, ticket)
  const session = await tx(deps.db, async (trx) => {
    const { id, identity } = await lockTicket(trx, deps, ticket)
    const kind = await spendFactorCode(trx, deps, userId, code)
    if (kind === null) {
      await recordWrongCode(trx, deps, userId, device)
      return null
    }
    const at = deps.clock.now()
    await markCodeUsed(trx, id, at)
    if (kind === 'recovery') {
      await recordActivity(trx, { action: 'auth.recoveryCode', level: 'NOTICE', userId, ip: device.ip, at })
    }
    return finishSignIn(trx, deps, identity, device)
  })
  if (!session) throw wrongFactorCode()
  await resetThrottle(deps.db, factorTries, userId)
  return session
}

/**
 * Creates a secret for a user without a second factor.
 * @throws AppError sign_in_again; conflict if there is one, which a password alone must never replace.
 */
export async function setUpFirstFactor(deps: Deps, { ticket }: BodyOf<typeof setUpFactor>): Promise<FactorSetup> {
  return tx(deps.db, async (trx) => {
    const { identity } = await lockTicket(trx, deps, ticket)
    if (await hasFactor(trx, identity.user.id)) throw new AppError('conflict')
    return prepareFactor(trx, deps, identity.user)
  })
}

/**
 * Activates the first secret and signs in.
 * @throws AppError sign_in_again, conflict, factor_code_wrong, too_many_requests
 */
export async function confirmFirstFactor(
  deps: Deps,
  { ticket, code }: BodyOf<typeof confirmFactor>,
  device: Device,
): Promise<ResponseOf<typeof confirmFactor>> {
  const userId = await countTry(deps, ticket)
  const answer = await tx(deps.db, async (trx) => {
    const { id, identity } = await lockTicket(trx, deps, ticket)
    if (await hasFactor(trx, userId)) throw new AppError('conflict')
    const recoveryCodes = await confirmPreparedFactor(trx, deps, userId, code)
    if (!recoveryCodes) {
      await recordWrongCode(trx, deps, userId, device)
      return null
    }
    const at = deps.clock.now()
    await markCodeUsed(trx, id, at)
    await recordActivity(trx, { action: 'auth.secondFactorSet', level: 'NOTICE', userId, ip: device.ip, at })
    await mailFactorChange(trx, deps, identity.user, 'second_factor_set')
    return { recoveryCodes, session: await finishSignIn(trx, deps, identity, device) }
  })
  if (!answer) throw wrongFactorCode()
  await resetThrottle(deps.db, factorTries, userId)
  return answer
}
