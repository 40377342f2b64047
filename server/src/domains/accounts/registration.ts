import type { register, Session } from '@waybill/contract/accounts'
import type { BodyOf } from '@waybill/contract/endpoint'
import type { Locale, UserType } from '@waybill/contract/enums'
import { recordActivity } from '../../activity.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalid } from '../../http/errors.ts'
import { takeTurn } from '../../http/throttle.ts'
import { addJob } from '../../jobs.ts'
import { later, minutes } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { isPhone } from '../../lib/phone.ts'
import { lockLatestCode } from './code-queries.ts'
import { codeError, codeLivesMs, issueCode, mailedCodes, takeCode } from './codes.ts'
import { hashPassword, refuseCommonPassword } from './passwords.ts'
import { findUserByEmail, insertAccount, insertUser } from './queries.ts'
import { identityOf } from './rights.ts'
import { type Device, startSession } from './sessions.ts'

const purpose = 'register'

/** What waits with the code until the address is proven; nothing of it is in `users` before. Empty where the address has an account already. */
type Pending = {
  userType: UserType
  name: string
  phone: string
  passwordHash: string
  language: Locale
  companyName: string | null
  registrationNumber: string | null
}

/** The answer to whoever asks for a code. */
type Asked = { email: string; expiresAt: string }

/**
 * Mails a code and a link; the account comes into being with them. An address that has one gets a mail that says so: the same work is done and the
 * same answer given, so that nobody learns who is a customer here.
 */
export async function askForAccount(deps: Deps, input: BodyOf<typeof register>): Promise<Asked> {
  if (!isPhone(input.phone)) throw new AppError('phone_invalid', { fields: [{ field: 'phone', rule: 'phone' }] })
  refuseCommonPassword(input.password, input.email)
  await takeTurn(deps.db, mailedCodes, `${purpose} ${input.email}`, deps.clock.now())
  const pending: Pending = {
    userType: input.userType,
    name: input.name,
    phone: input.phone,
    passwordHash: await hashPassword(input.password),
    language: input.language,
    companyName: input.companyName,
    registrationNumber: input.registrationNumber,
  }
  const expiresAt = await tx(deps.db, async (trx) => {
    const user = await findUserByEmail(trx, 'customer', input.email)
    return sendCode(trx, deps, input.email, user ? null : pending, (user?.language as Locale) ?? input.language)
  })
  return { email: input.email, expiresAt: expiresAt.toISOString() }
}

/** A code nobody is told leads nowhere (`pending` null); it is there so that wrong guesses are answered alike for every address. */
async function sendCode(
  trx: DbOrTx,
  deps: Deps,
  email: string,
  pending: Pending | null,
  locale: Locale,
): Promise<Date> {
  const { publicUrl } = deps.config.http
  const issued = await issueCode(trx, deps, { purpose, subject: email, livesMs: codeLivesMs, payload: pending ?? {} })
  const vars = pending
    ? {
        name: pending.name,
        code: issued.code,
        minutes: codeLivesMs / minutes(1),
        url: `${publicUrl}/register/verify?token=${issued.linkToken}`,
      }
    : { url: `${publicUrl}/login` }
  await addJob(trx, 'mail:send', {
    to: email,
    template: pending ? 'register_code' : 'register_known',
    locale,
    vars,
  })
  return issued.expiresAt
}

/** Takes note that a new code is wanted. Whether there is anything to send is found out afterwards, so that the answer takes equally long. */
export async function askForCodeAgain(deps: Deps, email: string): Promise<Asked> {
  const now = deps.clock.now()
  await takeTurn(deps.db, mailedCodes, `${purpose} ${email}`, now)
  await addJob(deps.db, 'accounts:resend-registration', { email })
  return { email, expiresAt: later(now, codeLivesMs).toISOString() }
}

/** The job behind `askForCodeAgain`: a new code for what was asked for last, as long as it is remembered (a day). */
export async function resendCode(deps: Deps, email: string): Promise<void> {
  await tx(deps.db, async (trx) => {
    const latest = await lockLatestCode(trx, purpose, email)
    if (!latest) return
    const user = await findUserByEmail(trx, 'customer', email)
    const pending = latest.payload as Partial<Pending>
    if (user) await sendCode(trx, deps, email, null, user.language as Locale)
    else if (pending.passwordHash) await sendCode(trx, deps, email, pending as Pending, pending.language ?? 'en')
  })
}

type Proof = { email?: string | undefined; code?: string | undefined; linkToken?: string | undefined }

/** What a caller proves that the mail reached it with: the link's token, or the address with its code. */
export function proofOf(body: Proof): { subject: string; code: string } | { linkToken: string } {
  if (body.linkToken !== undefined) return { linkToken: body.linkToken }
  const missing = (['email', 'code'] as const).filter((field) => body[field] === undefined)
  if (body.email === undefined || body.code === undefined) {
    throw invalid(...missing.map((field) => ({ field, rule: 'required' })))
  }
  return { subject: body.email, code: body.code }
}

/**
 * Makes the account and its owner in one transaction and signs the owner in.
 *
 * @throws AppError code_wrong, code_expired, code_used, code_void, link_invalid; email_taken when somebody was faster.
 */
export async function verifyRegistration(deps: Deps, body: Proof, device: Device): Promise<Session> {
  const proof = proofOf(body)
  const verified = await tx(deps.db, async (trx) => {
    const taken = await takeCode(trx, deps, purpose, proof)
    if (!taken.ok) return taken
    const pending = taken.payload as Partial<Pending>
    // Somebody has guessed the code that nobody was told.
    if (!pending.passwordHash) return { ok: false, error: 'code_wrong' } as const
    const userId = await insertOwner(trx, deps, taken.subject, pending as Pending, device)
    const identity = await identityOf(trx, userId)
    if (!identity) throw new Error('the user that was just made is gone')
    return { ok: true, session: await startSession(trx, deps, identity, device) } as const
  })
  if (!verified.ok) throw codeError(verified.error)
  return verified.session
}

async function insertOwner(trx: DbOrTx, deps: Deps, email: string, pending: Pending, device: Device): Promise<string> {
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
    email,
    password_hash: pending.passwordHash,
    name: pending.name,
    phone: pending.phone,
    language: pending.language,
    is_owner: true,
    created_at: at,
    updated_at: at,
  })
  await recordActivity(trx, { action: 'auth.register', accountId, userId, ip: device.ip, at })
  return userId
}
