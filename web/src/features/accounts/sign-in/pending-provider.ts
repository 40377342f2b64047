/**
 * A sign-in at an identity provider that this tab started. The provider redirects to `/auth/callback` in the same tab.
 * Session storage keeps two tabs from taking each other's sign-in.
 */
import type { SignInSide } from '@waybill/contract/ground/constants'

export type PendingProvider = {
  /** The secret without which the provider's answer is not accepted. */
  browserToken: string
  side: SignInSide
  /** Where to go afterwards. */
  next: string
  /** True: a signed-in user links an identity. */
  connects: boolean
}

const key = 'provider-sign-in'

export function rememberProvider(pending: PendingProvider): void {
  sessionStorage.setItem(key, JSON.stringify(pending))
}

/** Takes this tab's sign-in, once: the provider's answer also works only once. */
export function takePendingProvider(): PendingProvider | null {
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return text === null ? null : (JSON.parse(text) as PendingProvider)
}
