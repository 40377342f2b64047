/** The last action of the user in any tab of this browser. It decides when an idle session ends (decision 42). */
import { local, userKeyPrefix } from '../browser/storage.ts'

/** The time of the last action, and that of the last one that the server knows. Removed at sign-out. */
export const actedKey = `${userKeyPrefix}acted`
export const reportedKey = `${userKeyPrefix}reported`

/** The time under one of these keys, or null. */
export const readTime = (key: string): number | null => Number(local.get(key)) || null

/** The last action, and for how long the user has done nothing. An unknown last action counts as now. */
export function readIdle(): { lastAction: number; idleSeconds: number } {
  const now = Date.now()
  const lastAction = Math.min(readTime(actedKey) ?? now, now)
  return { lastAction, idleSeconds: Math.floor((now - lastAction) / 1000) }
}

/** The server knows of this action. */
export function noteReport(lastAction: number): void {
  local.set(reportedKey, String(lastAction))
}
