/** Where the chosen language is kept. */
export const languageKey = 'lang'

/** What begins so belongs to the signed-in user, and goes when they sign out. */
export const userKeyPrefix = 'user:'

/**
 * Local storage that never throws: a browser may forbid it, or it may be full; the page goes on without memory then.
 */
export const local = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value)
    } catch {
      // Full or forbidden: what was to be remembered is a convenience, never the only copy.
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
