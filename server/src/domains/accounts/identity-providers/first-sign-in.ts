/**
 * The first sign-in with an identity. A provider's claim about an email address is not trusted; a mailed code proves
 * the address (decision 63). Then the identity is linked to the user with that address, or an account is opened.
 */
import type {
  mailIdentityCode,
  proveIdentityEmail,
  registerIdentity,
  SignInOutcome,
} from '@waybill/contract/accounts/identity-providers'
import type { mailedCode, Session } from '@waybill/contract/accounts/sign-in'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { output } from 'zod/mini'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { countThrottledAttempt } from '../../../http/limits/throttle.ts'
import { minutes } from '../../../lib/clock.ts'
import { randomToken } from '../../../lib/crypto.ts'
import { isPhone } from '../../../lib/phone.ts'
import { getVersionsInForce } from '../../legal/service.ts'
import { notify } from '../../notifications/notify.ts'
import type { Device } from '../devices/request-device.ts'
import { findUser, findUserByEmail } from '../queries.ts'
import { codeError, codeLivesMs, hashBrowserToken, issueCode, mailedCodes, spendCode } from '../sign-in/codes.ts'
import { completeSignIn, requireSession, type SignInStep } from '../sign-in/login.ts'
import { markCodeUsed } from '../sign-in/queries-codes.ts'
import { insertOwner } from '../sign-in/registration.ts'
import { connectIdentity } from './identities.ts'
import { requireProvider } from './sign-in.ts'
import { issueNewcomerTicket, lockNewcomer, type NewcomerPayload } from './tickets.ts'

const purpose = 'identity_email'

/** The newcomer of a ticket, whose provider is still on. Throws identity_ticket, login_method_off. */
async function requireTicket(trx: Tx, deps: Deps, ticket: string): Promise<NewcomerPayload & { id: string }> {
  const newcomer = await lockNewcomer(trx, deps, ticket)
  requireProvider(deps, newcomer.provider, newcomer.side)
  return newcomer
}

/**
 * Mails a code to the address that the newcomer enters. Every address gets the same mail, so nobody learns who has an
 * account. Throws identity_ticket, login_method_off, too_many_requests.
 */
export async function mailEmailCode(
  deps: Deps,
  { ticket, email, language }: BodyOf<typeof mailIdentityCode>,
): Promise<output<typeof mailedCode>> {
  await countThrottledAttempt(deps.db, mailedCodes, `${purpose} ${email}`, deps.clock.now())
  const browserToken = randomToken()
  const subject = hashBrowserToken(browserToken)
  const expiresAt = await tx(deps.db, async (trx) => {
    const { id } = await requireTicket(trx, deps, ticket)
    const payload = { email, ticketId: id }
    const issued = await issueCode(trx, deps, { purpose, subject, livesMs: codeLivesMs, payload })
    await notify(deps, trx, {
      kind: 'identity_code',
      to: { email, language },
      facts: { code: issued.code, minutes: codeLivesMs / minutes(1) },
      expiresAt: issued.expiresAt,
    })
    return issued.expiresAt
  })
  return { email, expiresAt: expiresAt.toISOString(), browserToken }
}

type Step = SignInStep | { newcomer: NonNullable<SignInOutcome['newcomer']> }

/**
 * Checks the mailed code. A user with that address is linked and signed in; a customer without a user may open an
 * account; a member of staff must have been invited.
 * @throws AppError identity_ticket, login_method_off, the errors of a code, staff_unknown, account_blocked,
 * account_suspended, identity_namesake, second_factor
 */
export async function proveEmail(
  deps: Deps,
  { ticket, browserToken, code }: BodyOf<typeof proveIdentityEmail>,
  device: Device,
): Promise<SignInOutcome> {
  const step = await tx(deps.db, async (trx) => {
    const newcomer = await requireTicket(trx, deps, ticket)
    const spentCode = await spendCode(trx, deps, purpose, { subject: hashBrowserToken(browserToken), code })
    if (!spentCode.ok) return spentCode
    const { email, ticketId } = spentCode.payload as { email: string; ticketId: string }
    // The code of another sign-in in this browser.
    if (ticketId !== newcomer.id) return { ok: false, error: 'code_wrong' } as const
    return enterByEmail(trx, deps, newcomer, email, device)
  })
  if ('ok' in step) throw codeError(step.error)
  if ('newcomer' in step) return { session: null, connected: null, newcomer: step.newcomer }
  return { session: requireSession(step), connected: null, newcomer: null }
}

async function enterByEmail(
  trx: Tx,
  deps: Deps,
  newcomer: NewcomerPayload & { id: string },
  email: string,
  device: Device,
): Promise<Step> {
  const { provider, side, person } = newcomer
  await markCodeUsed(trx, newcomer.id, deps.clock.now())
  const user = await findUserByEmail(trx, side, email)
  if (user) {
    await connectIdentity(trx, deps, user, provider, person, { device, used: true })
    return completeSignIn(trx, deps, user.id, device)
  }
  if (side === 'staff') throw new AppError('staff_unknown')
  return { newcomer: await issueNewcomerTicket(trx, deps, { provider, side, person, provenEmail: email }) }
}

/**
 * Opens an account without a password, links it to the identity, and signs its owner in.
 * @throws AppError identity_ticket (also before the address is proven), login_method_off, phone_invalid, email_taken
 */
export async function registerNewcomer(
  deps: Deps,
  body: BodyOf<typeof registerIdentity>,
  device: Device,
): Promise<ResponseOf<typeof registerIdentity>> {
  if (!isPhone(body.phone)) throw new AppError('phone_invalid', { fields: [{ field: 'phone', rule: 'phone' }] })
  return tx(deps.db, async (trx): Promise<Session> => {
    const { id, provider, side, person, provenEmail } = await requireTicket(trx, deps, body.ticket)
    if (provenEmail === null || side !== 'customer') throw new AppError('identity_ticket')
    await markCodeUsed(trx, id, deps.clock.now())
    const { userType, name, phone, language, companyName, registrationNumber } = body
    const accepted = await getVersionsInForce(trx)
    const pending = { email: provenEmail, userType, name, phone, language, companyName, registrationNumber, accepted }
    const userId = await insertOwner(trx, deps, { ...pending, passwordHash: null }, device)
    const user = await findUser(trx, userId)
    if (!user) throw new Error('the user that was just made is gone')
    await connectIdentity(trx, deps, user, provider, person, { device, used: true })
    return requireSession(await completeSignIn(trx, deps, userId, device))
  })
}
