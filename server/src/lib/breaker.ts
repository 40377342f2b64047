/**
 * Work that failed because somebody did not answer is not tried again for a while: each try would wait just as long.
 */
export type Breaker = {
  /** Runs `work`, or throws at once while the pause after a time-out lasts. After the pause one try finds out. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export type BreakerOptions = {
  /** What is said while nothing is tried. */
  message: string
  pauseMs: number
  isTimeout: (error: unknown) => boolean
  now?: () => number
}

export function createBreaker({ message, pauseMs, isTimeout, now = Date.now }: BreakerOptions): Breaker {
  let openUntil: number | null = null
  return {
    async run(work) {
      if (openUntil !== null) {
        if (now() < openUntil) throw new Error(message)
        // This one finds out; the others go on waiting meanwhile.
        openUntil = now() + pauseMs
      }
      try {
        const result = await work()
        openUntil = null
        return result
      } catch (error) {
        openUntil = isTimeout(error) ? now() + pauseMs : null
        throw error
      }
    },
  }
}
