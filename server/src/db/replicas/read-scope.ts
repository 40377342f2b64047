/** Marks the work whose reads a replica may answer. */
import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<true>()

/**
 * Runs `work`. Its statements that only read may be answered by a replica; everything else goes to the primary. What it
 * returns later (a stream) belongs to it only if it is consumed inside.
 */
export function readFromReplicas<T>(work: () => T): T {
  return scope.run(true, work)
}

/** Whether the present work may read from a replica. */
export function mayReadFromReplicas(): boolean {
  return scope.getStore() === true
}
