/** Sign-in at an identity provider: the redirect to it, and the handling of its answer. */
import type {
  finishProviderSignIn,
  SignInOutcome,
  startIdentityLink,
  startProviderSignIn,
} from '@waybill/contract/accounts/identity-providers'
import type { IdentityProvider, SignInSide } from '@waybill/contract/ground/constants'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AnyCaller, UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { minutes } from '../../../lib/clock.ts'
import { randomToken } from '../../../lib/crypto.ts'
import { offeredProviders, type ProviderAccess } from '../../settings/login-methods.ts'
import { confirmInvitedAddress } from '../company/queries-members.ts'
import type { Device } from '../devices/request-device.ts'
import { withProof } from '../profile/proof.ts'
import { findUser, type UserRow } from '../queries.ts'
import { codeError, hashBrowserToken, issueCode, spendCode, type TakenCode } from '../sign-in/codes.ts'
import { completeSignIn, requireSession, type SignInStep } from '../sign-in/login.ts'
import { setPasswordPurpose } from '../sign-in/password-links.ts'
import { connectIdentity } from './identities.ts'
import { authorizationUrl, newHandshake, reachProvider, readPerson } from './provider.ts'
import { lockIdentity, saveIdentityUse } from './queries.ts'
import type { ProviderPerson } from './rules.ts'
import { issueNewcomerTicket } from './tickets.ts'

/** A sign-in in progress. It is a one-time code whose link token is the `state`. */
const purpose = 'provider_state'
const stateLivesMs = minutes(10)

type Pending = {
  provider: IdentityProvider
  side: SignInSide
  nonce: string
  verifier: string
  /** If set, the identity will be linked to this user. */
  userId: string | null
  /** The token of an invitation link. */
  invitation: string | null
}

/** A provider that is offered on a side's sign-in page. Throws login_method_off. */
export function requireProvider(deps: Deps, provider: IdentityProvider, side: SignInSide): ProviderAccess {
  const access = offeredProviders(deps.settings).find((each) => each.provider === provider)
  if (!access?.sides.includes(side)) throw new AppError('login_method_off')
  return access
}

async function start(
  deps: Deps,
  provider: IdentityProvider,
  request: Pick<Pending, 'side' | 'userId' | 'invitation'>,
  runInTx = <T>(work: (trx: Tx) => Promise<T>): Promise<T> => tx(deps.db, work),
): Promise<ResponseOf<typeof startProviderSignIn>> {
  const access = requireProvider(deps, provider, request.side)
  // Checked before anything is stored: the provider may be down.
  await reachProvider(deps, access)
  const browserToken = randomToken()
  const handshake = newHandshake()
  const payload: Pending = { provider, ...request, ...handshake }
  const subject = hashBrowserToken(browserToken)
  const { linkToken } = await runInTx((trx) =>
    issueCode(trx, deps, { purpose, subject, livesMs: stateLivesMs, payload }),
  )
  return { url: await authorizationUrl(deps, access, { ...handshake, state: linkToken }), browserToken }
}

/** Begins a sign-in. Throws login_method_off, provider_down. */
export async function startSignIn(
  deps: Deps,
  provider: IdentityProvider,
  { side, invitation }: BodyOf<typeof startProviderSignIn>,
): Promise<ResponseOf<typeof startProviderSignIn>> {
  return start(deps, provider, { side, userId: null, invitation: invitation ?? null })
}

/**
 * Starts linking an identity to the caller, with a proof: a stranger at an unlocked device could otherwise link their
 * own identity and sign in at any time.
 * @throws AppError login_method_off, provider_down, and the errors of the proof
 */
export async function startLink(
  deps: Deps,
  caller: UserCaller,
  provider: IdentityProvider,
  proof: BodyOf<typeof startIdentityLink>,
  device: Device,
): Promise<ResponseOf<typeof startProviderSignIn>> {
  const request = { side: caller.kind, userId: caller.userId, invitation: null }
  return start(deps, provider, request, (work) =>
    withProof(deps, caller, { step: 'connect_identity', proof, device }, work),
  )
}

const stateErrors = {
  code_expired: 'provider_state_expired',
  code_used: 'provider_state_used',
} as const satisfies Partial<Record<Extract<TakenCode, { ok: false }>['error'], unknown>>

/** Takes the pending sign-in of a `state`, which works once. Throws provider_state and its variants. */
async function takePending(deps: Deps, state: string, browserToken: string): Promise<Pending> {
  const spentCode = await tx(deps.db, (trx) => spendCode(trx, deps, purpose, { linkToken: state }))
  if (!spentCode.ok) {
    throw new AppError(stateErrors[spentCode.error as keyof typeof stateErrors] ?? 'provider_state')
  }
  // Without this check an attacker could send a victim a link that signs them in to the attacker's account.
  if (spentCode.subject !== hashBrowserToken(browserToken)) throw new AppError('provider_state')
  return spentCode.payload as Pending
}

async function recordFailure(deps: Deps, pending: Pending, error: AppError, device: Device): Promise<void> {
  await recordActivity(deps.db, {
    action: 'auth.loginFailed',
    level: 'WARNING',
    detail: { provider: pending.provider, reason: error.extra.text ?? error.code },
    ip: device.ip,
    at: deps.clock.now(),
  })
}

/**
 * Handles the provider's answer.
 * @throws AppError provider_state and its variants, provider_denied, provider_answer, provider_tenant, provider_down,
 * login_method_off, account_blocked, account_suspended, second_factor with the ticket for the next step;
 * identity_taken and identity_namesake when linking; the errors of a link for an invitation.
 */
export async function finishSignIn(
  deps: Deps,
  caller: AnyCaller,
  body: BodyOf<typeof finishProviderSignIn>,
  device: Device,
): Promise<SignInOutcome> {
  const pending = await takePending(deps, body.state, body.browserToken)
  try {
    const access = requireProvider(deps, pending.provider, pending.side)
    if (body.error !== undefined) throw new AppError('provider_denied', { vars: { provider: access.label } })
    const person = await readPerson(deps, access, { ...pending, state: body.state }, body)
    if (pending.userId !== null) return await finishLink(deps, caller, pending, person, device)
    return await signInPerson(deps, pending, person, device)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'second_factor') await recordFailure(deps, pending, error, device)
    throw error
  }
}

/** Links the identity to the user who started, and who must still be signed in here. */
async function finishLink(
  deps: Deps,
  caller: AnyCaller,
  { provider, side, userId }: Pending,
  person: ProviderPerson,
  device: Device,
): Promise<SignInOutcome> {
  if (caller.kind === 'visitor' || caller.userId !== userId) throw new AppError('provider_state')
  await tx(deps.db, async (trx) => {
    const identity = await lockIdentity(trx, side, person)
    if (identity && identity.user_id !== userId) throw new AppError('identity_taken')
    const user = await findUser(trx, userId)
    if (!user) throw new AppError('session_expired')
    if (!identity) await connectIdentity(trx, deps, user, provider, person, { device, used: false })
  })
  return { session: null, connected: provider, newcomer: null }
}

type Step = SignInStep | { newcomer: NonNullable<SignInOutcome['newcomer']> }

/** Signs in the user of a linked identity, or accepts an invitation. Otherwise the newcomer is asked for an address. */
async function signInPerson(
  deps: Deps,
  pending: Pending,
  person: ProviderPerson,
  device: Device,
): Promise<SignInOutcome> {
  const { provider, side, invitation } = pending
  const step = await tx(deps.db, async (trx): Promise<Step | Extract<TakenCode, { ok: false }>> => {
    const identity = await lockIdentity(trx, side, person)
    if (identity) {
      await saveIdentityUse(trx, identity.id, deps.clock.now())
      return completeSignIn(trx, deps, identity.user_id, device)
    }
    if (invitation === null) {
      const newcomer = { provider, side, person, provenEmail: null }
      return { newcomer: await issueNewcomerTicket(trx, deps, newcomer) }
    }
    const spentCode = await spendCode(trx, deps, setPasswordPurpose, { linkToken: invitation })
    if (!spentCode.ok) return spentCode
    const user = await findUser(trx, String(spentCode.payload.userId))
    if (user?.kind !== side) return { ok: false, error: 'link_invalid' }
    await acceptInvitation(trx, deps, user)
    const confirmed = (await findUser(trx, user.id)) ?? user
    await connectIdentity(trx, deps, confirmed, provider, person, { device, used: true })
    return completeSignIn(trx, deps, user.id, device)
  })
  if ('ok' in step) throw codeError(step.error)
  if ('newcomer' in step) return { session: null, connected: null, newcomer: step.newcomer }
  return { session: requireSession(step), connected: null, newcomer: null }
}

/** The link proved the mailbox, as it does when a first password is set. */
async function acceptInvitation(trx: Tx, deps: Deps, user: UserRow): Promise<void> {
  if (user.invited_email !== null) await confirmInvitedAddress(trx, user.id, deps.clock.now())
}
