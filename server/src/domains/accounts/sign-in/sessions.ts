/** Sessions: one per signed-in device, renewed by refresh tokens. */
import type { listSessions, refresh, Session } from '@waybill/contract/accounts/sign-in'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { days, hours, later, minutes } from '../../../lib/clock.ts'
import { hmacSha256, isMacOfAny, randomToken, sameBytes, sha256 } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { recordDevice } from '../devices/note-device.ts'
import type { Device } from '../devices/request-device.ts'
import { endView } from '../directory/view-account.ts'
import { type Identity, type LockedIdentity, presentSession, presentUser, tokenClaims } from '../present.ts'
import {
  endSessions,
  findSessionUser,
  insertSession,
  lockSession,
  openSessions,
  saveLastLogin,
  type UserKind,
  updateSession,
} from '../queries.ts'
import { lockRights, maySignIn, revokeTokens } from '../rights.ts'

/** After this time a session ends and the user must sign in again, however often it was refreshed (decision 42). */
const longestSessionMs: Record<UserKind, number> = { customer: days(30), staff: hours(12) }

/**
 * Two tabs may refresh at the same moment, or a response may get lost: the browser notices that after 30 seconds. So
 * within this time a used token still returns the same successor, which is derived from the token and a key. The
 * session cannot branch, and a thief who comes later ends it.
 */
const graceMs = 60_000

const keyPurpose = 'refresh tokens'

/**
 * `<session>.<secret>.<seal>`. The seal proves that we issued the token: reusing an issued token ends the session; a
 * forged one has no effect.
 */
function sealSecret(deps: Deps, sessionId: string, secret: string): string {
  const body = `${sessionId}.${secret}`
  return `${body}.${computeSeal(deps.keys.derive(keyPurpose), body).toString('base64url')}`
}

const computeSeal = (key: Buffer, body: string): Buffer => hmacSha256(key, `seal ${body}`).subarray(0, 16)

function readSessionId(deps: Deps, token: string): string | null {
  const [id, secret, seal, ...rest] = token.split('.')
  if (!id || !secret || !seal || rest.length > 0 || !/^[0-9a-f-]{36}$/.test(id)) return null
  const keys = deps.keys.derivations(keyPurpose)
  return isMacOfAny(keys, Buffer.from(seal, 'base64url'), (key) => computeSeal(key, `${id}.${secret}`)) ? id : null
}

function successor(deps: Deps, sessionId: string, token: string): string {
  return sealSecret(deps, sessionId, hmacSha256(deps.keys.derive(keyPurpose), `next ${token}`).toString('base64url'))
}

/**
 * A session expires when its user has done nothing for the configured time, and in any case after the longest time. A
 * renewal in the background therefore never extends it.
 */
function getExpiry(deps: Deps, identity: Identity, createdAt: Date, lastAction: Date): Date {
  const idle = later(lastAction, minutes(deps.settings.get('auth.expiryMinutes')))
  const longest = later(createdAt, longestSessionMs[identity.user.kind as UserKind])
  return new Date(Math.min(idle.getTime(), longest.getTime()))
}

type NewTokens = { identity: LockedIdentity; id: string; refreshToken: string; expiresAt: Date }

async function buildAnswer(deps: Deps, { identity, id, refreshToken, expiresAt }: NewTokens): Promise<Session> {
  return {
    token: await deps.tokens.sign(tokenClaims(identity, id), { readAt: identity.readAt, sessionEnd: expiresAt }),
    refreshToken,
    user: presentUser(deps, identity),
  }
}

/** Completes a sign-in after every proof: records it and starts the session, in the caller's transaction. */
export async function finishSignIn(
  trx: DbOrTx,
  deps: Deps,
  identity: LockedIdentity,
  device: Device,
): Promise<Session> {
  await recordActivity(trx, {
    action: 'auth.login',
    accountId: identity.account?.id ?? null,
    userId: identity.user.id,
    ip: device.ip,
    at: deps.clock.now(),
  })
  return startSession(trx, deps, identity, device)
}

/** Starts a session for a device, in the caller's transaction. */
export async function startSession(
  trx: DbOrTx,
  deps: Deps,
  identity: LockedIdentity,
  device: Device,
): Promise<Session> {
  const now = deps.clock.now()
  const id = newId()
  const refreshToken = sealSecret(deps, id, randomToken())
  const expiresAt = getExpiry(deps, identity, now, now)
  await insertSession(trx, {
    id,
    user_id: identity.user.id,
    token_hash: sha256(refreshToken),
    rotated_at: now,
    user_agent: device.userAgent,
    ip: device.ip,
    created_at: now,
    last_used_at: now,
    expires_at: expiresAt,
  })
  await saveLastLogin(trx, identity.user.id, now)
  await recordDevice(trx, deps, { user: identity.user, device, sessionId: id })
  return buildAnswer(deps, { identity, id, refreshToken, expiresAt })
}

/**
 * Issues an access token with the current rights, and the next refresh token. A token used again after the grace
 * period counts as stolen, so it ends the session.
 * @throws AppError session_expired
 */
export async function refreshSession(
  deps: Deps,
  { refreshToken, idleSeconds }: BodyOf<typeof refresh>,
  device: Device,
): Promise<Session> {
  const id = readSessionId(deps, refreshToken)
  if (!id) throw new AppError('session_expired')
  const next = await tx(deps.db, async (trx) => {
    const userId = await findSessionUser(trx, id)
    // Before the session, as a change does that ends the user's sessions.
    const identity = userId && (await lockRights(trx, deps, userId))
    if (!identity || !maySignIn(identity)) return null
    const now = deps.clock.now()
    const session = await lockSession(trx, id)
    if (!session || session.ended_at !== null || session.expires_at <= now) return null
    const hash = sha256(refreshToken)
    const token = successor(deps, id, refreshToken)
    if (sameBytes(session.token_hash, hash)) {
      const lastAction = later(now, -idleSeconds * 1000)
      const expiresAt = getExpiry(deps, identity, session.created_at, lastAction)
      if (expiresAt <= now) return null
      await updateSession(trx, id, {
        token_hash: sha256(token),
        previous_token_hash: hash,
        rotated_at: now,
        last_used_at: lastAction,
        expires_at: expiresAt,
      })
      return { identity, id, refreshToken: token, expiresAt }
    }
    const previous = session.previous_token_hash
    const inGrace = now.getTime() - session.rotated_at.getTime() <= graceMs
    if (previous && inGrace && sameBytes(previous, hash)) {
      return { identity, id, refreshToken: token, expiresAt: session.expires_at }
    }
    await endSessions(trx, session.user_id, { id }, now)
    await revokeTokens(trx, deps, id)
    await recordActivity(trx, {
      action: 'auth.refreshReused',
      level: 'WARNING',
      accountId: identity.account?.id ?? null,
      userId: session.user_id,
      subject: id,
      ip: device.ip,
      at: now,
    })
    return null
  })
  if (!next) throw new AppError('session_expired')
  return buildAnswer(deps, next)
}

/** The signed-in devices, last used first. */
export async function listOwnSessions(deps: Deps, caller: UserCaller): Promise<ResponseOf<typeof listSessions>> {
  const rows = await openSessions(deps.db, caller.userId, deps.clock.now())
  return { items: rows.map((row) => presentSession(row, caller.sessionId)) }
}

/**
 * Signs out one of the caller's own devices.
 * @throws AppError not_found if the session has ended or belongs to somebody else.
 */
export async function endOneSession(deps: Deps, caller: UserCaller, id: string, device: Device): Promise<void> {
  await tx(deps.db, async (trx) => {
    const now = deps.clock.now()
    const sessionIds = await endSessions(trx, caller.userId, { id }, now)
    if (sessionIds.length === 0) throw new AppError('not_found')
    await revokeTokens(trx, deps, ...sessionIds)
    await recordActivity(trx, {
      action: id === caller.sessionId ? 'auth.logout' : 'auth.sessionEnd',
      accountId: caller.kind === 'customer' ? caller.accountId : null,
      userId: caller.userId,
      subject: id,
      ip: device.ip,
      at: now,
    })
  })
}

/** Signs out all of the caller's own devices except this one. */
export async function endOtherSessions(deps: Deps, caller: UserCaller, device: Device): Promise<void> {
  await tx(deps.db, async (trx) => {
    const now = deps.clock.now()
    const sessionIds = await endSessions(trx, caller.userId, { except: caller.sessionId }, now)
    if (sessionIds.length === 0) return
    await revokeTokens(trx, deps, ...sessionIds)
    await recordActivity(trx, {
      action: 'auth.otherSessionsEnd',
      level: 'NOTICE',
      accountId: caller.kind === 'customer' ? caller.accountId : null,
      userId: caller.userId,
      detail: { endedSessions: sessionIds.length },
      ip: device.ip,
      at: now,
    })
  })
}

/** Ends this session, or this view by staff; no error if it has ended already. */
export async function logout(deps: Deps, caller: UserCaller, device: Device): Promise<void> {
  if (caller.kind === 'customer' && caller.viewer) return endView(deps, caller, caller.viewer)
  try {
    await endOneSession(deps, caller, caller.sessionId, device)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  }
}
