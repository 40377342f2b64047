/** Mailed codes and links. */
import type { ErrorCode } from '@waybill/contract/ground/errors'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import type { Throttle } from '../../../http/limits/throttle.ts'
import { later, minutes } from '../../../lib/clock.ts'
import { hmacSha256, isMacOfAny, randomCode, randomToken, sha256 } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import {
  type CodeRow,
  countWrongTry,
  expireCodes,
  fillReservedCode,
  findCode,
  insertCode,
  lockCodeOfLink,
  lockLatestCode,
  markCodeUsed,
} from './queries-codes.ts'

/** How long codes that prove an email address are valid (docs/rules/accounts.md). */
export const codeLivesMs = minutes(15)
/** Limits mails with codes per address, no matter who requests them. */
export const mailedCodes: Throttle = { name: 'mailed codes', free: 2, firstWait: 30, longestWait: 900, memory: 3600 }

/** Wrong attempts after which a code is void (docs/rules/accounts.md and docs/rules/payments.md). */
const maxWrongAttempts = 5

export type IssuedCode = {
  /** Six digits. */
  code: string
  /** The token of a link with the same effect; 256 random bits. */
  linkToken: string
  expiresAt: Date
}

type NewCode = {
  /** A code is valid only for its purpose, e.g. `register`. */
  purpose: string
  /** The owner of the code: a user's id, or the browser that requested it (`hashBrowserToken`). */
  subject: string
  livesMs: number
  /** Stored until the code is used, and returned then. */
  payload?: Record<string, unknown>
}

/**
 * The subject of codes that a browser requested without a session. Each browser has its own: a stranger who enters the
 * same address neither replaces nor voids them, and wrong attempts count the same for every address.
 */
export function hashBrowserToken(browserToken: string): string {
  return sha256(browserToken).toString('base64url')
}

const keyPurpose = 'one-time codes'
const hashWith = (key: Buffer, purpose: string, subject: string, code: string): Buffer =>
  hmacSha256(key, `${purpose}\n${subject}\n${code}`)

function codeHash(deps: Deps, purpose: string, subject: string, code: string): Buffer {
  return hashWith(deps.keys.derive(keyPurpose), purpose, subject, code)
}

/** Whether a code belongs to this row. */
function matchesCode(deps: Deps, { code_hash, purpose, subject }: CodeRow, code: string): boolean {
  return isMacOfAny(deps.keys.derivations(keyPurpose), code_hash, (key) => hashWith(key, purpose, subject, code))
}

/** Creates a single-use code in the caller's transaction. Earlier ones for the same purpose and subject become void. */
export async function issueCode(trx: DbOrTx, deps: Deps, request: NewCode): Promise<IssuedCode> {
  const { purpose, subject } = request
  const now = deps.clock.now()
  const issued = { code: randomCode(), linkToken: randomToken(), expiresAt: later(now, request.livesMs) }
  await expireCodes(trx, purpose, subject, now)
  await insertCode(trx, {
    id: newId(),
    purpose,
    subject,
    code_hash: codeHash(deps, purpose, subject, issued.code),
    link_hash: sha256(issued.linkToken),
    payload: JSON.stringify(request.payload ?? {}),
    expires_at: issued.expiresAt,
    created_at: now,
  })
  return issued
}

/**
 * Creates a row that counts wrong attempts, with a code that nobody knows. A job fills it later if the user exists, so
 * the request does the same work for every address.
 */
export async function reserveCode(trx: DbOrTx, deps: Deps, code: Omit<NewCode, 'payload'>): Promise<string> {
  const now = deps.clock.now()
  const id = newId()
  await insertCode(trx, {
    id,
    purpose: code.purpose,
    subject: code.subject,
    code_hash: sha256(randomToken()),
    expires_at: later(now, code.livesMs),
    created_at: now,
  })
  return id
}

/** Gives a reserved row its code and link; null if the row no longer exists. */
export async function fillCode(
  trx: DbOrTx,
  deps: Deps,
  id: string,
  payload: Record<string, unknown>,
): Promise<IssuedCode | null> {
  const row = await findCode(trx, id)
  if (!row) return null
  const issued = { code: randomCode(), linkToken: randomToken(), expiresAt: row.expires_at }
  await fillReservedCode(trx, id, {
    code_hash: codeHash(deps, row.purpose, row.subject, issued.code),
    link_hash: sha256(issued.linkToken),
    payload: JSON.stringify(payload),
  })
  return issued
}

type CodeError = Extract<ErrorCode, `code_${string}` | 'link_invalid'>
/** The used code with its payload; or the error, which must be thrown after the transaction has committed. */
export type TakenCode =
  | { ok: true; subject: string; payload: Record<string, unknown> }
  | { ok: false; error: CodeError }

/**
 * Uses a code, found by its six digits and subject, or by its link. A wrong attempt is counted in the transaction: let
 * it commit, and then throw `codeError(result.error)`.
 */
export async function spendCode(
  trx: DbOrTx,
  deps: Deps,
  purpose: string,
  proof: { subject: string; code: string } | { linkToken: string },
): Promise<TakenCode> {
  const byCode = 'code' in proof
  const row = byCode
    ? await lockLatestCode(trx, purpose, proof.subject)
    : await lockCodeOfLink(trx, purpose, sha256(proof.linkToken))
  // Without a code the error is the same as for a wrong one, so that nobody learns who has one.
  if (!row) return { ok: false, error: byCode ? 'code_wrong' : 'link_invalid' }
  const over = whyOver(row, deps.clock.now())
  if (over) return { ok: false, error: over }
  if (byCode && !matchesCode(deps, row, proof.code)) {
    await countWrongTry(trx, row.id)
    return { ok: false, error: row.attempts + 1 >= maxWrongAttempts ? 'code_void' : 'code_wrong' }
  }
  await markCodeUsed(trx, row.id, deps.clock.now())
  return { ok: true, subject: row.subject, payload: row.payload as Record<string, unknown> }
}

function whyOver(row: CodeRow, now: Date): CodeError | null {
  if (row.used_at !== null) return 'code_used'
  if (row.attempts >= maxWrongAttempts) return 'code_void'
  return row.expires_at.getTime() <= now.getTime() ? 'code_expired' : null
}

const rules: Record<CodeError, string> = {
  code_wrong: 'codeWrong',
  code_expired: 'codeExpired',
  code_used: 'codeUsed',
  code_void: 'codeVoid',
  link_invalid: 'linkInvalid',
}

/** The error for a code that was not accepted, tied to the input field. */
export function codeError(error: CodeError): AppError {
  return new AppError(error, {
    fields: [{ field: error === 'link_invalid' ? 'linkToken' : 'code', rule: rules[error] }],
  })
}
