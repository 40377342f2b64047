import { useEffect, useEffectEvent, useRef, useState } from 'react'
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
    set(name: string, value: string): boolean {
      const key = getKey(name)
      return key !== null && local.set(key, value)
    },
    remove(name: string): void {
      const key = getKey(name)
      if (key !== null) local.remove(key)
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

/**
 * Stores a value, and returns whether the browser has done so. The fallback only removes the entry: otherwise one would
 * stay for every thread and every gunny.
 */
export function writeStored<T>(storage: UserStorage, name: string, value: T, fallback: T): boolean {
  const text = JSON.stringify(value)
  if (text !== JSON.stringify(fallback)) return storage.set(name, text)
  storage.remove(name)
  return true
}

function useStoredState<T>(storage: UserStorage, name: string, fallback: T) {
  const [value, setValue] = useState(() => readStored(storage, name, fallback))
  /** The value that the browser has not stored: storage is full or forbidden. */
  const unstored = useRef<{ value: T } | null>(null)
  const read = () => (unstored.current ? unstored.current.value : readStored(storage, name, fallback))
  const set: Setter<T> = (next) => {
    // Not the rendered value, because several updates may come before the next render.
    const newValue = next instanceof Function ? next(read()) : next
    unstored.current = writeStored(storage, name, newValue, fallback) ? null : { value: newValue }
    setValue(newValue)
  }
  return { value, set, readAgain: () => setValue(read()) }
}

/** State in a storage of the signed-in user. */
export function useStored<T>(storage: UserStorage, name: string, fallback: T): [T, Setter<T>] {
  const { value, set } = useStoredState(storage, name, fallback)
  return [value, set]
}

/** State that survives a reload and is removed at sign-out. */
export function useKept<T>(name: string, fallback: T): [T, Setter<T>] {
  return useStored(userStorage, name, fallback)
}

/** `useKept` for state that several tabs change: each shows the changes of the others at once. */
export function useSharedKept<T>(name: string, fallback: T): [T, Setter<T>] {
  const { value, set, readAgain } = useStoredState(userStorage, name, fallback)
  const onChange = useEffectEvent(readAgain)
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key?.endsWith(`:${name}`)) onChange()
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [name])
  return [value, set]
}
