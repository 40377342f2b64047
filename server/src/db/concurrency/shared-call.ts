/** Combines concurrent identical queries: requests that arrive together share one call to the database. */

/**
 * Shares each call among all callers that arrive before it starts. Callers that arrive during a call wait for the next
 * one, because the current one may already have read its answer.
 */
export function shareCalls<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  const begin = () => {
    next = null
    const result = call()
    running = result.catch(() => undefined)
    return result
  }
  return () => {
    next ??= running.then(begin)
    return next
  }
}
