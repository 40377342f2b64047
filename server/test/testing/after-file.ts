type Cleanup = () => unknown

let cleanups: Cleanup[] = []

/**
 * Runs `cleanup` after the last test of the current file, in reverse order of registration. It is for helpers that are
 * called in hooks or tests, because `afterAll` belongs to the file that the worker has collected last.
 */
export function afterFile(cleanup: Cleanup): void {
  cleanups.push(cleanup)
}

/** Runs all registered cleanups of the file, even if one of them fails. Throws the first error. */
export async function cleanUp(): Promise<void> {
  const errors: unknown[] = []
  // Empties the list first, so that a cleanup that hangs cannot run those of the next file.
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
