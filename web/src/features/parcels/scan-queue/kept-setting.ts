import { useState } from 'react'
import { lastingUserStorage, userStorage } from '../../../lib/browser/user-storage.ts'

type Storage = typeof userStorage
type Setter<T> = (next: T | ((before: T) => T)) => void

function readSetting<T>(storage: Storage, name: string, fallback: T): T {
  const text = storage.get(name)
  if (text === null) return fallback
  try {
    return JSON.parse(text) as T
  } catch {
    return fallback
  }
}

function useStored<T>(storage: Storage, name: string, fallback: T): [T, Setter<T>] {
  const [value, setValue] = useState(() => readSetting(storage, name, fallback))
  return [
    value,
    (next) => {
      // Reads the stored value, because several updates may come before the next render.
      const newValue = next instanceof Function ? next(readSetting(storage, name, fallback)) : next
      storage.set(name, JSON.stringify(newValue))
      setValue(newValue)
    },
  ]
}

/** State that survives a reload and is removed at sign-out. */
export function useKept<T>(name: string, fallback: T): [T, Setter<T>] {
  return useStored(userStorage, name, fallback)
}

/** A scanned number that was not reported, with the reason. */
export type OpenNumber = { number: string; text: string }

const openNumbers = 'scan-open'

/** Numbers that need a decision. They survive a sign-out. */
export function useOpenNumbers(): [readonly OpenNumber[], Setter<readonly OpenNumber[]>] {
  return useStored<readonly OpenNumber[]>(lastingUserStorage, openNumbers, [])
}

export function countOpenNumbers(): number {
  return readSetting<readonly OpenNumber[]>(lastingUserStorage, openNumbers, []).length
}
