/** The storage key of the language. */
export const languageKey = 'lang'

/** Prefix of keys that belong to the signed-in user. They are removed at sign-out. */
export const userKeyPrefix = 'user:'

/** Local storage that never throws. A browser may forbid storage, or it may be full; the page then works without it. */
export const local = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  /** Returns whether the value is stored. */
  set(key: string, value: string): boolean {
    try {
      localStorage.setItem(key, value)
      return true
    } catch {
      // Full or forbidden. Nothing is lost: stored values are a convenience, never the only copy.
      return false
    }
  },
  remove(key: string): void {
    try {
      localStorage.removeItem(key)
    } catch {
      // As above.
    }
  },
  removeWithPrefix(prefix: string): void {
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
    } catch {
      // As above.
    }
  },
  clear(): void {
    try {
      localStorage.clear()
    } catch {
      // As above.
    }
  },
}
