/** Sign-in with a password. */
import type { SecondFactorStep } from '@waybill/contract/accounts/second-factor'
import type { login, Session } from '@waybill/contract/accounts/sign-in'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { limitedAddress } from '../../../http/limits/limited-address.ts'
import { countThrottledAttempt, resetThrottle, type Throttle } from '../../../http/limits/throttle.ts'
import type { Device } from '../devices/request-device.ts'
import { findUserByEmail, type UserKind } from '../queries.ts'
import { lockRights, maySignIn } from '../rights.ts'
import { needsFactor } from '../second-factor/service.ts'
import { issueTicket } from '../second-factor/sign-in.ts'
import { requirePasswordFor, requirePasswordsOn, verifyPassword } from './passwords.ts'
import { finishSignIn } from './sessions.ts'

/** Limits password guessing for one address from one device. */
const fromOnePlace: Throttle = { name: 'login from', free: 4, firstWait: 2, longestWait: 900, memory: 3600 }
/** Limits it across many devices. The waits are short, because they also affect the owner. */
const fromAnywhere: Throttle = { name: 'login', free: 30, firstWait: 2, longestWait: 60, memory: 3600 }

/**
 * Signs in with email address and password. An unknown address takes the same time and gets the same answer as a wrong
 * password, so nobody can find out who has an account.
 * @throws AppError passwords_off; wrong_credentials; too_many_requests with the wait; only after the right password:
 * account_blocked, account_suspended (staff), second_factor with the ticket for the next step.
 */
export async function signIn(
  deps: Deps,
  kind: UserKind,
  { email, password }: BodyOf<typeof login>,
  device: Device,
): Promise<Session> {
  if (kind === 'customer') requirePasswordsOn(deps)
  const now = deps.clock.now()
  const address = `${kind} ${email}`
  const place = `${address} ${limitedAddress(device.ip)}`
  await countThrottledAttempt(deps.db, fromOnePlace, place, now)
  await countThrottledAttempt(deps.db, fromAnywhere, address, now)
  const user = await findUserByEmail(deps.db, kind, email)
  const right = await verifyPassword(user?.password_hash ?? null, password)
  if (!user || !right) {
    await recordActivity(deps.db, {
      action: 'auth.loginFailed',
      level: 'WARNING',
      accountId: user?.account_id ?? null,
      userId: user?.id ?? null,
      ip: device.ip,
      at: now,
    })
    throw new AppError('wrong_credentials')
  }
  await resetThrottle(deps.db, fromOnePlace, place)
  await resetThrottle(deps.db, fromAnywhere, address)
  // Only after the right password: a stranger must not learn who is a superadmin.
  requirePasswordFor(deps, user)
  const step = await tx(deps.db, async (trx) => {
    // A password change during the verification ends every session, so none may start after it.
    const identity = await lockRights(trx, deps, user.id)
    if (identity?.user.password_hash !== user.password_hash) throw new AppError('wrong_credentials')
    return completeSignIn(trx, deps, user.id, device)
  })
  return requireSession(step)
}

/** A session, or the ticket for the second factor. */
export type SignInStep = { session: Session } | { next: SecondFactorStep }

/**
 * Completes a sign-in once the user is authenticated, by password or at an identity provider: starts a session, or
 * requests the second factor. Throws account_blocked, account_suspended (staff).
 */
export async function completeSignIn(trx: Tx, deps: Deps, userId: string, device: Device): Promise<SignInStep> {
  const identity = await lockRights(trx, deps, userId)
  if (!identity) throw new AppError('account_blocked')
  const { user } = identity
  if (!maySignIn(identity)) {
    if (user.kind === 'customer' || user.status === 'blacklisted') throw new AppError('account_blocked')
    throw new AppError('account_suspended', { text: 'account_suspended_staff' })
  }
  if (needsFactor(deps, user)) return { next: await issueTicket(trx, deps, user) }
  return { session: await finishSignIn(trx, deps, identity, device) }
}

/** The session of a step, once its transaction has committed. Throws second_factor with the ticket. */
export function requireSession(step: SignInStep): Session {
  if ('next' in step) throw new AppError('second_factor', { details: step.next })
  return step.session
}
