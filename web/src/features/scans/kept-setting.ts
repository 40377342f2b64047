import { useState } from 'react'
import { userStorage } from '../../lib/user-storage.ts'

function read<T>(name: string, fallback: T): T {
  const text = userStorage.get(name)
  if (text === null) return fallback
  try {
    return JSON.parse(text) as T
  } catch {
    return fallback
  }
}

/** State that a reload does not change, and that goes when the user signs out. */
export function useKept<T>(name: string, fallback: T): [T, (next: T | ((before: T) => T)) => void] {
  const [value, setValue] = useState(() => read(name, fallback))
  return [
    value,
    (next) => {
      // The stored value is the newest one: several changes may come before the next rendering.
      const changed = next instanceof Function ? next(read(name, fallback)) : next
      userStorage.set(name, JSON.stringify(changed))
      setValue(changed)
    },
  ]
}
