type Cleanup = () => unknown

let cleanups: Cleanup[] = []
let runAfterTest: (cleanup: Cleanup) => boolean = () => false

/**
 * Sets what runs a cleanup after the test that is running; it returns false if none is. This file does not import the
 * test runner, because journeys in a browser use it, too.
 */
export function setAfterTest(run: (cleanup: Cleanup) => boolean): void {
  runAfterTest = run
}

/**
 * Runs `cleanup` after the test that is running, or after the last test of the current file if none is (`beforeAll`);
 * in reverse order of registration. The apps of finished tests would keep all their connections until the end of the
 * file: two files that start one for each test used up the 400 of the tests' PostgreSQL. It is for helpers that are
 * called in hooks or tests, because `afterAll` belongs to the file that the worker has collected last.
 */
export function afterUse(cleanup: Cleanup): void {
  if (!runAfterTest(cleanup)) cleanups.push(cleanup)
}

/** Runs the cleanups that are left at the end of the file, even if one of them fails. Throws the first error. */
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
