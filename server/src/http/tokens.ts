import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../lib/clock.ts'
import { type CustomerCaller, callerFromClaims, type StaffCaller, type TokenClaims } from './caller.ts'

/** Access tokens live this long; a change of a user's rights reaches every process at once through `revoke`. */
export const accessTokenSeconds = 10 * 60

/** Whose tokens these are, and who they are for: a token that another program signs with the same key is refused. */
const issuer = 'waybill'
const audience = 'waybill-api'
const verification = { issuer, audience, algorithms: ['HS256'], requiredClaims: ['sub', 'sid', 'iat', 'exp'] }

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
export type NewClaims = DistributiveOmit<TokenClaims, 'iat' | 'exp'>

export type Tokens = {
  /** Signs a short-lived access token (JWT, HS256). */
  sign(claims: NewClaims): Promise<string>
  /** The caller of a valid token; null when it is wrong, expired, or made before a revocation. */
  verify(token: string): Promise<CustomerCaller | StaffCaller | null>
  /** Tokens of a user, an account or a session made before `at` are void: their holders refresh or sign in again. */
  revoke(id: string, at: Date): void
}

/** Verified tokens are remembered until they expire: a signature is checked once, not at every call. */
const rememberedTokens = 10_000

/**
 * Signs with the first key and verifies with any: the others are derived from secrets of before (key rotation).
 * Throws when there is no key.
 */
export function createTokens(keys: readonly Buffer[], clock: Clock): Tokens {
  const [signingKey] = keys
  if (!signingKey) throw new Error('there is no key to sign tokens with')
  const remembered = new Map<string, TokenClaims>()
  const revoked = new Map<string, number>()

  const sweep = () => {
    const oldest = clock.now().getTime() - accessTokenSeconds * 1000 - 5000
    for (const [id, at] of revoked) if (at < oldest) revoked.delete(id)
  }

  const voidSince = (id: string, issuedMs: number) => {
    const at = revoked.get(id)
    return at !== undefined && issuedMs < at
  }

  const read = async (token: string): Promise<TokenClaims | null> => {
    const known = remembered.get(token)
    if (known) return known
    for (const key of keys) {
      try {
        const { payload } = await jwtVerify(token, key, { ...verification, currentDate: clock.now() })
        const claims = payload as unknown as TokenClaims
        if (remembered.size >= rememberedTokens) remembered.clear()
        remembered.set(token, claims)
        return claims
      } catch {
        // Perhaps signed with the key before it.
      }
    }
    return null
  }

  return {
    async sign(claims) {
      const now = clock.now().getTime() / 1000
      // Fractions of a second, so that a token made right after a revocation isn't taken for one made before it.
      return new SignJWT({ ...claims, iat: now })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime(Math.floor(now) + accessTokenSeconds)
        .sign(signingKey)
    },
    async verify(token) {
      const claims = await read(token)
      if (!claims) return null
      if (claims.exp * 1000 <= clock.now().getTime()) {
        remembered.delete(token)
        return null
      }
      const issued = claims.iat * 1000
      if (voidSince(claims.sub, issued) || voidSince(claims.sid, issued)) return null
      if (claims.k === 'c' && voidSince(claims.a, issued)) return null
      return callerFromClaims(claims)
    },
    revoke(id, at) {
      sweep()
      revoked.set(id, at.getTime())
    },
  }
}
