import { sessionStore } from './session.ts'
import { local, userKeyPrefix } from './storage.ts'

const keyOf = (name: string) => {
  const id = sessionStore.getState().auth.user?.id
  return id === undefined ? null : `${userKeyPrefix}${id}:${name}`
}

/** What this device remembers for the signed-in user until they sign out: never shown to, or used for, another. */
export const userStorage = {
  get(name: string): string | null {
    const key = keyOf(name)
    return key === null ? null : local.get(key)
  },
  /** Null forgets it. */
  set(name: string, value: string | null): void {
    const key = keyOf(name)
    if (key === null) return
    if (value === null) local.remove(key)
    else local.set(key, value)
  },
}
