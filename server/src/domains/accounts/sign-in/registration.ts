/** Registration of customers. */
import type { register, resendRegistration, Session, verifyRegistration } from '@waybill/contract/accounts/sign-in'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { UserType } from '@waybill/contract/ground/enums/enums'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { countThrottledAttempt } from '../../../http/limits/throttle.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { later, minutes } from '../../../lib/clock.ts'
import { randomToken } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { isPhone } from '../../../lib/phone.ts'
import { getVersionsInForce } from '../../legal/service.ts'
import type { Facts } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import type { Device } from '../devices/request-device.ts'
import { findUserByEmail, insertAccount, insertUser } from '../queries.ts'
import { lockRights } from '../rights.ts'
import { codeError, codeLivesMs, hashBrowserToken, issueCode, mailedCodes, spendCode } from './codes.ts'
import { hashPassword, requirePasswordsOn, requireUncommonPassword } from './passwords.ts'
import { lockLatestCode } from './queries-codes.ts'
import { startSession } from './sessions.ts'

const purpose = 'register'

export type AcceptedVersions = Awaited<ReturnType<typeof getVersionsInForce>>

/** Stored with the code until the address is proven. Before that nothing is written to `users`. */
type Pending = {
  email: string
  userType: UserType
  name: string
  phone: string
  passwordHash: string
  language: Locale
  companyName: string | null
  registrationNumber: string | null
  /** The legal texts in force when the person accepted them. */
  accepted: AcceptedVersions
}

type MailedCode = ResponseOf<typeof register>

/**
 * Mails a code and a link that create the account. An address with an account gets a mail that says so. Work and answer
 * are the same, so that nobody learns who is a customer.
 */
export async function requestAccount(deps: Deps, input: BodyOf<typeof register>): Promise<MailedCode> {
  requirePasswordsOn(deps)
  if (!isPhone(input.phone)) throw new AppError('phone_invalid', { fields: [{ field: 'phone', rule: 'phone' }] })
  requireUncommonPassword(input.password, input.email)
  await countThrottledAttempt(deps.db, mailedCodes, `${purpose} ${input.email}`, deps.clock.now())
  const { email, userType, name, phone, language, companyName, registrationNumber } = input
  const passwordHash = await hashPassword(input.password)
  const accepted = await getVersionsInForce(deps.db)
  const pending = { email, userType, name, phone, passwordHash, language, companyName, registrationNumber, accepted }
  const browserToken = randomToken()
  const expiresAt = await tx(deps.db, (trx) => sendCode(trx, deps, hashBrowserToken(browserToken), pending))
  return { email, expiresAt: expiresAt.toISOString(), browserToken }
}

/**
 * For an address with an account the code is never sent; it exists so that wrong attempts get the same answer for every
 * address.
 */
async function sendCode(trx: DbOrTx, deps: Deps, subject: string, pending: Pending): Promise<Date> {
  const { publicUrl } = deps.config.http
  const user = await findUserByEmail(trx, 'customer', pending.email)
  const issued = await issueCode(trx, deps, { purpose, subject, livesMs: codeLivesMs, payload: pending })
  const facts: Facts = user
    ? { url: `${publicUrl}/login` }
    : {
        name: pending.name,
        code: issued.code,
        minutes: codeLivesMs / minutes(1),
        url: `${publicUrl}/register/verify?token=${issued.linkToken}`,
      }
  await notify(deps, trx, {
    kind: user ? 'register_known' : 'register_code',
    to: { email: pending.email, language: user ? (user.language as Locale) : pending.language },
    facts,
    expiresAt: user ? undefined : issued.expiresAt,
  })
  return issued.expiresAt
}

/**
 * Requests a new code. A job checks whether there is anything to send, so the answer takes the same time for every
 * address.
 */
export async function requestCodeAgain(
  deps: Deps,
  { email, browserToken }: BodyOf<typeof resendRegistration>,
): Promise<MailedCode> {
  requirePasswordsOn(deps)
  const now = deps.clock.now()
  await countThrottledAttempt(deps.db, mailedCodes, `${purpose} ${email}`, now)
  await addJob(deps.db, 'accounts:resend-registration', { email, subject: hashBrowserToken(browserToken) })
  return { email, expiresAt: later(now, codeLivesMs).toISOString(), browserToken }
}

/** The job behind `requestCodeAgain`: mails a new code for this browser's registration, which is stored for a day. */
export async function resendCode(deps: Deps, { email, subject }: { email: string; subject: string }): Promise<void> {
  await tx(deps.db, async (trx) => {
    const latest = await lockLatestCode(trx, purpose, subject)
    const pending = (latest?.payload ?? {}) as Partial<Pending>
    // The code is used, or belongs to another address than the throttle counted.
    if (pending.email !== email) return
    await sendCode(trx, deps, subject, pending as Pending)
  })
}

type Proof = { code?: string | undefined; linkToken?: string | undefined; browserToken?: string | undefined }

/** Identifies the code being proven: by the link's token, or by the six digits in the browser that requested it. */
export function mailProof(body: Proof): { subject: string; code: string } | { linkToken: string } {
  if (body.linkToken !== undefined) return { linkToken: body.linkToken }
  const missing = (['code', 'browserToken'] as const).filter((field) => body[field] === undefined)
  if (body.code === undefined || body.browserToken === undefined) {
    throw validationError(...missing.map((field) => ({ field, rule: 'required' })))
  }
  return { subject: hashBrowserToken(body.browserToken), code: body.code }
}

/**
 * Creates the account and its owner in one transaction and signs the owner in. The password of the registration counts
 * only in the browser that registered. In another browser the link asks for a new one: otherwise an attacker could
 * register a victim's address with a known password and wait for the victim to confirm it.
 * @throws AppError code_wrong, code_expired, code_used, code_void, link_invalid; password_needed and password_common,
 * which use up no link; email_taken if the address got an account meanwhile.
 */
export async function confirmRegistration(
  deps: Deps,
  body: BodyOf<typeof verifyRegistration>,
  device: Device,
): Promise<Session> {
  requirePasswordsOn(deps)
  const proof = mailProof(body)
  const ownSubject = body.browserToken === undefined ? null : hashBrowserToken(body.browserToken)
  const newPasswordHash = body.password === undefined ? null : await hashPassword(body.password)
  const verified = await tx(deps.db, async (trx) => {
    const result = await spendCode(trx, deps, purpose, proof)
    if (!result.ok) return result
    const pending = result.payload as Pending
    if (result.subject !== ownSubject) {
      if (newPasswordHash === null) {
        throw new AppError('password_needed', { fields: [{ field: 'password', rule: 'required' }] })
      }
      requireUncommonPassword(body.password ?? '', pending.email)
      pending.passwordHash = newPasswordHash
    }
    const userId = await insertOwner(trx, deps, pending, device)
    const identity = await lockRights(trx, deps, userId)
    if (!identity) throw new Error('the user that was just made is gone')
    return { ok: true, session: await startSession(trx, deps, identity, device) } as const
  })
  if (!verified.ok) throw codeError(verified.error)
  return verified.session
}

/**
 * Creates an account with its owner, and returns the owner's id. Without a hash the owner signs in at an identity
 * provider.
 */
export async function insertOwner(
  trx: DbOrTx,
  deps: Deps,
  pending: Omit<Pending, 'passwordHash'> & { passwordHash: string | null },
  device: Device,
): Promise<string> {
  const at = deps.clock.now()
  const accountId = newId()
  const userId = newId()
  await insertAccount(trx, {
    id: accountId,
    user_type: pending.userType,
    name: pending.companyName ?? pending.name,
    registration_number: pending.registrationNumber,
    created_at: at,
    updated_at: at,
  })
  await insertUser(trx, {
    id: userId,
    kind: 'customer',
    account_id: accountId,
    email: pending.email,
    password_hash: pending.passwordHash,
    name: pending.name,
    phone: pending.phone,
    language: pending.language,
    is_owner: true,
    terms_version: pending.accepted.terms,
    privacy_version: pending.accepted.privacy,
    created_at: at,
    updated_at: at,
  })
  await recordActivity(trx, { action: 'auth.register', accountId, userId, ip: device.ip, at })
  return userId
}
