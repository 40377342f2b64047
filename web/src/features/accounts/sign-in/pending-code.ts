import { local } from '../../../lib/browser/storage.ts'

/**
 * A code that was mailed: to which address, until when it holds, and the secret without which it counts nowhere.
 * In local storage, so that a link opened in another tab of this browser finds it, and no address stands in a link.
 */
export type PendingCode = { email: string; expiresAt: string; browserToken: string }
type Purpose = 'registration' | 'password'

const keyOf = (purpose: Purpose) => `code:${purpose}`

/** The server forgets codes a day after they expire; until then a new one can be asked for. */
const rememberedMs = 24 * 60 * 60 * 1000

export function rememberCode(purpose: Purpose, pending: PendingCode): void {
  local.set(keyOf(purpose), JSON.stringify(pending))
}

/** What this browser waits for; null when there is nothing, or when it is too old to be of use. */
export function pendingCode(purpose: Purpose): PendingCode | null {
  const text = local.get(keyOf(purpose))
  if (!text) return null
  const pending = JSON.parse(text) as PendingCode
  if (pending.browserToken && Date.parse(pending.expiresAt) + rememberedMs > Date.now()) return pending
  forgetCode(purpose)
  return null
}

export function forgetCode(purpose: Purpose): void {
  local.remove(keyOf(purpose))
}
