import { useState } from 'react'
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

type UserStorage = typeof userStorage
export type Setter<T> = (next: T | ((before: T) => T)) => void

/** The stored value, or the fallback if there is none that can be read. */
export function readStored<T>(storage: UserStorage, name: string, fallback: T): T {
  const text = storage.get(name)
  if (text === null) return fallback
  try {
    return JSON.parse(text) as T
  } catch {
    return fallback
  }
}

/** State in a storage of the signed-in user. */
export function useStored<T>(storage: UserStorage, name: string, fallback: T): [T, Setter<T>] {
  const [value, setValue] = useState(() => readStored(storage, name, fallback))
  return [
    value,
    (next) => {
      // Reads the stored value, because several updates may come before the next render.
      const newValue = next instanceof Function ? next(readStored(storage, name, fallback)) : next
      storage.set(name, JSON.stringify(newValue))
      setValue(newValue)
    },
  ]
}

/** State that survives a reload and is removed at sign-out. */
export function useKept<T>(name: string, fallback: T): [T, Setter<T>] {
  return useStored(userStorage, name, fallback)
}
