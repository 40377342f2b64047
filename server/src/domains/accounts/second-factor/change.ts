/** Changes of a user's own second factor. */
import type {
  changeFactor,
  confirmFactorChange,
  FactorSetup,
  getOwnFactor,
} from '@waybill/contract/accounts/second-factor'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { countThrottledAttempt, resetThrottle } from '../../../http/limits/throttle.ts'
import type { Device } from '../devices/request-device.ts'
import { requireOwnPassword } from '../profile/own-user.ts'
import { endSessions, findUser } from '../queries.ts'
import { revokeTokens } from '../rights.ts'
import { mailFactorChange } from './mail.ts'
import { findFactor } from './queries.ts'
import {
  confirmPreparedFactor,
  factorTries,
  hasFactor,
  needsFactor,
  prepareFactor,
  spendFactorCode,
  wrongFactorCode,
} from './service.ts'

/** The caller's second factor, for the profile. */
export async function getOwnSecondFactor(deps: Deps, caller: StaffCaller): Promise<ResponseOf<typeof getOwnFactor>> {
  const user = await findUser(deps.db, caller.userId)
  if (!user) throw new AppError('session_expired')
  const row = await findFactor(deps.db, caller.userId)
  return {
    required: needsFactor(deps, user),
    since: row?.confirmed_at?.toISOString() ?? null,
    recoveryCodesLeft: row?.confirmed_at ? row.recovery_hashes.length : 0,
  }
}

/**
 * Creates a secret for another phone. It needs the password and the current factor, because anybody may sit at a
 * signed-in device.
 * @throws AppError password_wrong, factor_code_wrong, too_many_requests
 */
export async function startFactorChange(
  deps: Deps,
  caller: StaffCaller,
  { currentPassword, code }: BodyOf<typeof changeFactor>,
  device: Device,
): Promise<FactorSetup> {
  const user = await requireOwnPassword(deps, caller, currentPassword, device)
  const replaces = await hasFactor(deps.db, user.id)
  if (replaces) await countThrottledAttempt(deps.db, factorTries, user.id, deps.clock.now())
  const setup = await tx(deps.db, async (trx) => {
    const isProven = !replaces || (code !== undefined && (await spendFactorCode(trx, deps, user.id, code)) !== null)
    return isProven ? prepareFactor(trx, deps, user) : null
  })
  if (!setup) throw wrongFactorCode()
  await resetThrottle(deps.db, factorTries, user.id)
  return setup
}

/**
 * Activates the new secret and signs the other devices out: one of them may be the lost phone.
 * @throws AppError factor_code_wrong, conflict if no change was started, too_many_requests
 */
export async function finishFactorChange(
  deps: Deps,
  caller: StaffCaller,
  { code }: BodyOf<typeof confirmFactorChange>,
  device: Device,
): Promise<ResponseOf<typeof confirmFactorChange>> {
  const { userId } = caller
  await countThrottledAttempt(deps.db, factorTries, userId, deps.clock.now())
  const recoveryCodes = await tx(deps.db, async (trx) => {
    const codes = await confirmPreparedFactor(trx, deps, userId, code)
    const user = await findUser(trx, userId)
    if (!codes || !user) return null
    const at = deps.clock.now()
    await revokeTokens(trx, deps, ...(await endSessions(trx, userId, { except: caller.sessionId }, at)))
    await recordActivity(trx, { action: 'auth.secondFactorSet', level: 'NOTICE', userId, ip: device.ip, at })
    await mailFactorChange(trx, deps, user, 'second_factor_set')
    return codes
  })
  if (!recoveryCodes) throw wrongFactorCode()
  await resetThrottle(deps.db, factorTries, userId)
  return { recoveryCodes }
}
