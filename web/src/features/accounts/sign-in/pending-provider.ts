/**
 * A sign-in at an identity provider that this tab began. The provider sends the browser back to `/auth/callback` in the
 * same tab. Session storage keeps two tabs from taking each other's sign-in.
 */
import type { SignInSide } from '@waybill/contract/ground/constants'

export type PendingProvider = {
  /** The secret without which the provider's answer counts nowhere. */
  browserToken: string
  side: SignInSide
  /** Where to go afterwards. */
  next: string
  /** True: a signed-in user connects an identity. */
  connects: boolean
}

const key = 'provider-sign-in'

export function rememberProvider(pending: PendingProvider): void {
  sessionStorage.setItem(key, JSON.stringify(pending))
}

/** The sign-in of this tab, once: the answer of a provider works only once as well. */
export function takePendingProvider(): PendingProvider | null {
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return text === null ? null : (JSON.parse(text) as PendingProvider)
}
