/** The second factor of staff: setting it up, and checking its codes. */
import { randomBytes } from 'node:crypto'
import type { FactorSetup } from '@waybill/contract/accounts/second-factor'
import type { DbOrTx, Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import type { Throttle } from '../../../http/limits/throttle.ts'
import { hmacSha256, reseal, seal, unsealWithAny } from '../../../lib/crypto.ts'
import { encodeQr } from '../../../lib/print/barcode.ts'
import { base32, matchingStep, totpUri } from '../../../lib/totp.ts'
import type { UserRow } from '../queries.ts'
import {
  confirmPendingSecret,
  findFactor,
  listFactors,
  lockFactor,
  removeRecoveryHash,
  replaceTotpSecret,
  savePendingSecret,
  updateLastStep,
} from './queries.ts'

/** The second factor of staff: a secret for an authenticator app, and recovery codes for a lost phone. */

/**
 * Attempts per user, counted before codes are compared: about a hundred a day, each with a chance of 3 in a million.
 */
export const factorTries: Throttle = {
  name: 'second factor',
  free: 5,
  firstWait: 30,
  longestWait: 900,
  memory: 86_400,
}

const recoveryCodeCount = 10

/** Whether this user needs a second factor to sign in. */
export function needsFactor(deps: Deps, user: UserRow): boolean {
  return user.kind === 'staff' && deps.settings.get('auth.staffSecondFactor') === 'required'
}

/** Whether a user has set up a second factor. */
export async function hasFactor(db: DbOrTx, userId: string): Promise<boolean> {
  return (await findFactor(db, userId))?.confirmed_at != null
}

const secretPurpose = 'second factors'
const recoveryPurpose = 'recovery codes'

function unsealSecret(deps: Deps, sealed: string): Buffer {
  return Buffer.from(unsealWithAny(deps.keys.derivations(secretPurpose), sealed), 'base64')
}

/** The hashes of a recovery code with every key that may have been used, the current one first. */
function recoveryHashes(deps: Deps, userId: string, code: string): Buffer[] {
  const plain = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '')
  return deps.keys.derivations(recoveryPurpose).map((key) => hmacSha256(key, `${userId}\n${plain}`))
}

/**
 * Re-encrypts secrets of a previous SECRET_KEY with the current one. Recovery codes still match with their old key.
 */
export async function resealFactors(deps: Deps): Promise<void> {
  if (deps.config.previousSecretKeys.length === 0) return
  for (const { user_id, secret, pending_secret } of await listFactors(deps.db)) {
    for (const sealed of [secret, pending_secret]) {
      const resealed = sealed === null ? null : reseal(deps.keys, secretPurpose, sealed)
      if (sealed !== null && resealed !== null) await replaceTotpSecret(deps.db, user_id, sealed, resealed)
    }
  }
}

/** Creates a new secret. It becomes valid once a code proves that it arrived in the app. */
export async function prepareFactor(trx: DbOrTx, deps: Deps, user: UserRow): Promise<FactorSetup> {
  const secret = randomBytes(20)
  await savePendingSecret(
    trx,
    user.id,
    seal(deps.keys.derive(secretPurpose), secret.toString('base64')),
    deps.clock.now(),
  )
  const { runs, modules } = encodeQr(totpUri(deps.settings.get('app.name'), user.email, secret))
  const path = runs.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h-${width}z`).join('')
  return { secret: base32(secret), qr: { modules, path } }
}

/**
 * Accepts the first code of the new secret. Returns the recovery codes, which are shown once; null for a wrong code.
 */
export async function confirmPreparedFactor(
  trx: Tx,
  deps: Deps,
  userId: string,
  code: string,
): Promise<string[] | null> {
  const now = deps.clock.now()
  const row = await lockFactor(trx, userId)
  if (!row?.pending_secret) throw new AppError('conflict')
  const step = matchingStep(unsealSecret(deps, row.pending_secret), code, now, 0)
  if (step === null) return null
  const codes = Array.from({ length: recoveryCodeCount }, () => {
    const text = base32(randomBytes(8)).slice(0, 10)
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })
  const hashes = codes.map((each) => recoveryHashes(deps, userId, each)[0] as Buffer)
  await confirmPendingSecret(trx, userId, { lastStep: step, recoveryHashes: hashes, at: now })
  return codes
}

/** Uses a code of the app or a recovery code, each of which is valid once. Null for a wrong one. */
export async function spendFactorCode(
  trx: Tx,
  deps: Deps,
  userId: string,
  code: string,
): Promise<'app' | 'recovery' | null> {
  const row = await lockFactor(trx, userId)
  if (!row?.secret) return null
  if (!/^\d{6}$/.test(code)) {
    for (const hash of recoveryHashes(deps, userId, code)) {
      if (await removeRecoveryHash(trx, userId, hash)) return 'recovery'
    }
    return null
  }
  const step = matchingStep(unsealSecret(deps, row.secret), code, deps.clock.now(), row.last_step)
  if (step === null) return null
  await updateLastStep(trx, userId, step)
  return 'app'
}

/** The error for a wrong code, tied to the input field. */
export function wrongFactorCode(field: 'code' | 'factorCode' = 'code'): AppError {
  return new AppError('factor_code_wrong', { fields: [{ field, rule: 'factorCodeWrong' }] })
}
