/** Identifies a person at an identity provider from the claims of a validated ID token. */
import { email as emailRule } from '@waybill/contract/ground/fields'
import type { IDToken } from 'openid-client'
import { safeParse } from 'zod/mini'
import type { ProviderAccess } from '../../settings/login-methods.ts'

/** A person at a provider. `email` and `name` are the provider's unverified claims and are not used for decisions. */
export type ProviderPerson = { issuer: string; subject: string; email: string | null; name: string | null }

const readText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

function readEmail(...candidates: unknown[]): string | null {
  for (const candidate of candidates) {
    const { success, data } = safeParse(emailRule, candidate)
    if (success) return data
  }
  return null
}

/**
 * The person of an ID token. Entra issues a different `sub` for each application, so its users are identified by
 * tenant and object id; the issuer names the tenant. Null if the token does not identify a person.
 */
export function identifyPerson({ provider }: Pick<ProviderAccess, 'provider'>, claims: IDToken): ProviderPerson | null {
  const subject = provider === 'ms365' ? readText(claims.oid) : readText(claims.sub)
  if (!subject || (provider === 'ms365' && !readText(claims.tid))) return null
  return {
    issuer: claims.iss,
    subject,
    email: readEmail(claims.email, claims.preferred_username),
    name: readText(claims.name)?.slice(0, 120) ?? null,
  }
}

/**
 * Whether people of this tenant may sign in. Microsoft's tenant for personal accounts must be listed like any other.
 */
export function isAllowedTenant({ tenants }: Pick<ProviderAccess, 'tenants'>, claims: IDToken): boolean {
  return tenants === null || (typeof claims.tid === 'string' && tenants.includes(claims.tid))
}
