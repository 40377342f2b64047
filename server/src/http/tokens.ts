/** Access tokens. */

import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../lib/clock.ts'
import type { UserCaller } from './caller.ts'
import { callerFromClaims, type TokenClaims } from './caller.ts'

/** The lifetime of access tokens. A change of rights reaches every process sooner, through `revoke`. */
export const accessTokenSeconds = 10 * 60

/** How long staff may view an account as its owner (`viewAccount` of the contract). It cannot be renewed. */
export const viewTokenSeconds = 15 * 60

/** A token that another program signed with the same key is refused. */
const issuer = 'waybill'
const audience = 'waybill-api'
const verification = { issuer, audience, algorithms: ['HS256'], requiredClaims: ['sub', 'sid', 'iat', 'exp'] }

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
export type NewClaims = DistributiveOmit<TokenClaims, 'iat' | 'exp'>

export type Tokens = {
  /**
   * Signs a short-lived access token (JWT, HS256), which never outlives its session; for a view, for as long as a view
   * lasts. `readAt`: when the rights in the claims were read. A later revocation voids the token, even if it was
   * signed after it.
   */
  sign(claims: NewClaims, times: { readAt: Date; sessionEnd?: Date }): Promise<string>
  /** The caller of a valid token; null if it is invalid, expired or revoked. */
  verify(token: string): Promise<UserCaller | null>
  /**
   * Revokes the tokens of a user, an account or a session whose rights were read before `at`. The holders must refresh
   * or sign in again.
   */
  revoke(id: string, at: Date): void
}

/** Verified tokens are cached until they expire, so that a signature is checked once and not on every call. */
const rememberedTokens = 10_000

/**
 * Signs with the first key and verifies with any: the others are derived from previous secrets (key rotation). Throws
 * if there is no key.
 */
export function createTokens(keys: readonly Buffer[], clock: Clock): Tokens {
  const [signingKey] = keys
  if (!signingKey) throw new Error('there is no key to sign tokens with')
  const remembered = new Map<string, TokenClaims>()
  const revoked = new Map<string, number>()

  const sweep = () => {
    const oldest = clock.now().getTime() - viewTokenSeconds * 1000 - 5000
    for (const [id, at] of revoked) if (at < oldest) revoked.delete(id)
  }

  const voidSince = (id: string, readMs: number) => {
    const at = revoked.get(id)
    return at !== undefined && readMs < at
  }

  const verifyToken = async (token: string): Promise<TokenClaims | null> => {
    const cached = remembered.get(token)
    if (cached) return cached
    for (const key of keys) {
      try {
        const { payload } = await jwtVerify(token, key, { ...verification, currentDate: clock.now() })
        const claims = payload as unknown as TokenClaims
        if (remembered.size >= rememberedTokens) remembered.clear()
        remembered.set(token, claims)
        return claims
      } catch {
        // Try the previous key.
      }
    }
    return null
  }

  return {
    async sign(claims, { readAt, sessionEnd }) {
      const issued = readAt.getTime() / 1000
      const end = Math.floor(issued) + ('v' in claims ? viewTokenSeconds : accessTokenSeconds)
      // Fractions of a second: a token issued directly after a revocation must not count as older.
      return new SignJWT({ ...claims, iat: issued })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime(sessionEnd ? Math.min(end, Math.floor(sessionEnd.getTime() / 1000)) : end)
        .sign(signingKey)
    },
    async verify(token) {
      const claims = await verifyToken(token)
      if (!claims) return null
      if (claims.exp * 1000 <= clock.now().getTime()) {
        remembered.delete(token)
        return null
      }
      const issued = Math.round(claims.iat * 1000)
      if (voidSince(claims.sub, issued) || voidSince(claims.sid, issued)) return null
      if (claims.k === 'c' && voidSince(claims.a, issued)) return null
      // A view ends with the rights and the session of the member of staff.
      if (claims.k === 'c' && claims.v && (voidSince(claims.v.id, issued) || voidSince(claims.v.s, issued))) return null
      return callerFromClaims(claims)
    },
    revoke(id, at) {
      sweep()
      revoked.set(id, at.getTime())
    },
  }
}
