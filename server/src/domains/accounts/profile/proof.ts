/** Proof that the person at a signed-in device is its user: the password, or a mailed code for a user without one. */

import type { mailProofCode, ProvenStep } from '@waybill/contract/accounts/proof'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { UserCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { countThrottledAttempt } from '../../../http/limits/throttle.ts'
import { minutes } from '../../../lib/clock.ts'
import { randomToken } from '../../../lib/crypto.ts'
import { notify } from '../../notifications/notify.ts'
import type { Device } from '../devices/request-device.ts'
import { findUser, type UserRow } from '../queries.ts'
import { codeError, codeLivesMs, hashBrowserToken, issueCode, mailedCodes, spendCode } from '../sign-in/codes.ts'
import { hasUsablePassword } from '../sign-in/passwords.ts'
import { requireOwnPassword } from './own-user.ts'

async function readUser(deps: Deps, caller: UserCaller): Promise<UserRow> {
  const user = await findUser(deps.db, caller.userId)
  if (!user) throw new AppError('session_expired')
  return user
}

/** Mails a code to a user without a password, to confirm a step. Throws too_many_requests. */
export async function mailOwnProof(
  deps: Deps,
  caller: UserCaller,
  { step }: BodyOf<typeof mailProofCode>,
): Promise<ResponseOf<typeof mailProofCode>> {
  const user = await readUser(deps, caller)
  // Each code allows five attempts, so the mails of all steps count together.
  await countThrottledAttempt(deps.db, mailedCodes, `proof ${user.email}`, deps.clock.now())
  const browserToken = randomToken()
  const subject = hashBrowserToken(browserToken)
  const expiresAt = await tx(deps.db, async (trx) => {
    const payload = { userId: user.id }
    const issued = await issueCode(trx, deps, { purpose: step, subject, livesMs: codeLivesMs, payload })
    const facts = { code: issued.code, minutes: codeLivesMs / minutes(1) }
    await notify(deps, trx, { kind: step, to: { users: [user.id] }, facts, expiresAt: issued.expiresAt })
    return issued.expiresAt
  })
  return { email: user.email, expiresAt: expiresAt.toISOString(), browserToken }
}

type Confirmation = {
  step: ProvenStep
  /** As the request contains it. */
  proof: { currentPassword?: string | undefined; code?: string | undefined; browserToken?: string | undefined }
  device: Device
}

/**
 * Does `work` in a transaction once the caller has proven to be the user: with the password, or with the mailed code if
 * there is none. If `work` fails, the code stays valid.
 * @throws AppError validation, password_wrong, the errors of a code, too_many_requests
 */
export async function withProof<T>(
  deps: Deps,
  caller: UserCaller,
  { step, proof, device }: Confirmation,
  work: (trx: Tx) => Promise<T>,
): Promise<T> {
  const { currentPassword, code, browserToken } = proof
  if (hasUsablePassword(deps, await readUser(deps, caller))) {
    if (currentPassword === undefined) throw validationError({ field: 'currentPassword', rule: 'required' })
    await requireOwnPassword(deps, caller, currentPassword, device)
    return tx(deps.db, work)
  }
  if (code === undefined || browserToken === undefined) throw validationError({ field: 'code', rule: 'required' })
  const subject = hashBrowserToken(browserToken)
  const outcome = await tx(deps.db, async (trx) => {
    const mailed = await spendCode(trx, deps, step, { subject, code })
    if (!mailed.ok) return mailed
    // The code of another user who has signed in with this browser.
    if (mailed.payload.userId !== caller.userId) return { ok: false, error: 'code_wrong' } as const
    return { ok: true, result: await work(trx) } as const
  })
  if (!outcome.ok) throw codeError(outcome.error)
  return outcome.result
}
