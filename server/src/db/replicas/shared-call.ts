/** One call for many: requests that arrive together share a question to the database. */

/**
 * Shares each call between all who ask before it begins. Whoever asks while a call is running waits for the next one,
 * because the running one may have read its answer already.
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
