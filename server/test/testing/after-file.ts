type Cleanup = () => unknown

let cleanups: Cleanup[] = []

/**
 * Runs `cleanup` after the last test of the file that is running; what was registered last is cleaned up first. For
 * helpers that are called in hooks or tests: `afterAll` belongs to whichever file the worker has collected last.
 */
export function afterFile(cleanup: Cleanup): void {
  cleanups.push(cleanup)
}

/** Runs what the file has registered; one that fails does not keep the others from running. Throws the first error. */
export async function cleanUp(): Promise<void> {
  const errors: unknown[] = []
  // Taken at once: one that hangs must not run those of the next file.
  const own = cleanups.reverse()
  cleanups = []
  for (const cleanup of own) {
    try {
      await cleanup()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
