import { local } from '../../../lib/browser/storage.ts'

/**
 * A mailed code: its address, its expiry, and the secret without which the code is worthless. Kept in local storage, so
 * that a link opened in another tab of this browser finds it and no URL contains an address.
 */
export type PendingCode = {
  email: string
  expiresAt: string
  browserToken: string
  /** The `next` of the page where the code was requested: a mailed link does not have it. */
  next?: string | undefined
  /** What a new user entered, without the password: the form has it again if the address was mistyped. */
  profile?: Record<string, string>
}
type Purpose = 'registration' | 'password' | 'staff-password'

const getStorageKey = (purpose: Purpose) => `code:${purpose}`

/** The purpose of a code for a new password: a browser may wait for one of each side. */
export const passwordCode = (staff: boolean): Purpose => (staff ? 'staff-password' : 'password')

/** The server deletes codes a day after they expire. Until then a new one can be requested. */
const rememberedMs = 24 * 60 * 60 * 1000

export function rememberCode(purpose: Purpose, pending: PendingCode): void {
  local.set(getStorageKey(purpose), JSON.stringify(pending))
}

/** The code that this browser waits for; null if there is none or it is too old. */
export function pendingCode(purpose: Purpose): PendingCode | null {
  const text = local.get(getStorageKey(purpose))
  if (!text) return null
  const pending = JSON.parse(text) as PendingCode
  if (pending.browserToken && Date.parse(pending.expiresAt) + rememberedMs > Date.now()) return pending
  forgetCode(purpose)
  return null
}

export function forgetCode(purpose: Purpose): void {
  local.remove(getStorageKey(purpose))
}
