/** A code that was mailed: to which address, and until when it holds. Kept for this tab, so that a reload loses nothing and no address stands in a link. */
export type PendingCode = { email: string; expiresAt: string }
type Purpose = 'registration' | 'password'

const keyOf = (purpose: Purpose) => `code:${purpose}`

export function rememberCode(purpose: Purpose, pending: PendingCode): void {
  sessionStorage.setItem(keyOf(purpose), JSON.stringify(pending))
}

export function pendingCode(purpose: Purpose): PendingCode | null {
  const kept = sessionStorage.getItem(keyOf(purpose))
  return kept ? (JSON.parse(kept) as PendingCode) : null
}

export function forgetCode(purpose: Purpose): void {
  sessionStorage.removeItem(keyOf(purpose))
}
