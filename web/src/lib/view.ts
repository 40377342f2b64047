/**
 * A view by staff: this tab shows an account as its owner sees it, while other tabs keep the session of the member of
 * staff.
 */
import type { SessionUser } from '@waybill/contract/accounts/sign-in'

export type View = {
  token: string
  expiresAt: string
  accountId: string
  accountName: string
  staffName: string
  user: SessionUser
}

const key = 'view'

/** Session storage: it belongs to one tab, and survives loading another document in it. */
function read(): View | null {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? null : (JSON.parse(text) as View)
  } catch {
    return null
  }
}

/** The view of this tab; null in an ordinary session. It changes only when another document is loaded. */
export const currentView = typeof sessionStorage === 'undefined' ? null : read()

/** Opens the portal in this tab as the owner of an account sees it, at `path`. */
export function startView(view: View, path: string): void {
  sessionStorage.setItem(key, JSON.stringify(view))
  location.assign(path)
}

/** Returns to the account's page for staff. The server was notified before, or the view has ended anyway. */
export function leaveView({ accountId }: View): void {
  sessionStorage.removeItem(key)
  location.assign(`/staff/accounts/${accountId}`)
}
