/** Marks work whose reads may be answered by a replica. */
import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<true>()

/**
 * Runs `work`. Its read-only statements may be answered by a replica; everything else goes to the primary. A stream
 * that `work` returns is covered only if it is consumed inside.
 */
export function readFromReplicas<T>(work: () => T): T {
  return scope.run(true, work)
}

/** Whether the current work may read from a replica. */
export function mayReadFromReplicas(): boolean {
  return scope.getStore() === true
}
