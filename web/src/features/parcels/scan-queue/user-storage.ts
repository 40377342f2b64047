import { local, userKeyPrefix } from '../../../lib/browser/storage.ts'
import { sessionStore } from '../../../lib/session.ts'

/** What stays when the user signs out, for when they sign in here again. */
const lastingPrefix = 'kept:'

function storageOf(prefix: string) {
  const keyOf = (name: string) => {
    const id = sessionStore.getState().auth.user?.id
    return id === undefined ? null : `${prefix}${id}:${name}`
  }
  return {
    get(name: string): string | null {
      const key = keyOf(name)
      return key === null ? null : local.get(key)
    },
    set(name: string, value: string): void {
      const key = keyOf(name)
      if (key !== null) local.set(key, value)
    },
  }
}

/** What this device remembers for the signed-in user until they sign out: never shown to, or used for, another. */
export const userStorage = storageOf(userKeyPrefix)

/** The same for what must not get lost when they sign out. */
export const lastingUserStorage = storageOf(lastingPrefix)
