/** A circuit breaker: after a time-out, calls fail at once for a while instead of waiting just as long. */
export type Breaker = {
  /** Runs `work`, or throws at once during the pause after a time-out. After the pause one call tries again. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export type BreakerOptions = {
  /** The error message during the pause. */
  message: string
  pauseMs: number
  isTimeout: (error: unknown) => boolean
  now?: () => number
}

/** A breaker for the failures that `isTimeout` recognises. `now` is in milliseconds. */
export function createBreaker({ message, pauseMs, isTimeout, now = Date.now }: BreakerOptions): Breaker {
  let openUntil: number | null = null
  return {
    async run(work) {
      if (openUntil !== null) {
        if (now() < openUntil) throw new Error(message)
        // Only this call tries again; the others keep failing until it succeeds.
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
