import { sessionStore } from '../session.ts'
import { local, userKeyPrefix } from './storage.ts'

/** Storage that survives a sign-out, for the user's next sign-in. */
const lastingPrefix = 'kept:'

function createStorage(prefix: string) {
  const getKey = (name: string) => {
    const id = sessionStore.getState().auth.user?.id
    return id === undefined ? null : `${prefix}${id}:${name}`
  }
  return {
    get(name: string): string | null {
      const key = getKey(name)
      return key === null ? null : local.get(key)
    },
    set(name: string, value: string): void {
      const key = getKey(name)
      if (key !== null) local.set(key, value)
    },
  }
}

/** Storage of the signed-in user until sign-out. Another user never sees it. */
export const userStorage = createStorage(userKeyPrefix)

/** The same, for values that must survive a sign-out. */
export const lastingUserStorage = createStorage(lastingPrefix)
