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
import { withProof } from '../profile/proof.ts'
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
 * Creates a secret for another phone. It needs a proof and the current factor, because anybody may sit at a signed-in
 * device.
 * @throws AppError factor_code_wrong, too_many_requests, and the errors of the proof
 */
export async function startFactorChange(
  deps: Deps,
  caller: StaffCaller,
  { factorCode, ...proof }: BodyOf<typeof changeFactor>,
  device: Device,
): Promise<FactorSetup> {
  const { userId } = caller
  // Counted before the transaction, so that a wrong code of the factor counts although the proof stays valid.
  if (await hasFactor(deps.db, userId)) await countThrottledAttempt(deps.db, factorTries, userId, deps.clock.now())
  const setup = await withProof(deps, caller, { step: 'change_factor', proof, device }, async (trx) => {
    const user = await findUser(trx, userId)
    if (!user) throw new AppError('session_expired')
    if (await hasFactor(trx, userId)) {
      const kind = factorCode === undefined ? null : await spendFactorCode(trx, deps, userId, factorCode)
      if (kind === null) throw wrongFactorCode('factorCode')
    }
    return prepareFactor(trx, deps, user)
  })
  await resetThrottle(deps.db, factorTries, userId)
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
