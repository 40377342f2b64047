/** Attempts of a job to read a spreadsheet. */
import { SheetError } from '../lib/sheet/error.ts'

/** A file is given up after this many attempts: it may be what crashes the process. */
const maxAttempts = 2

type Log = { error(detail: { err: unknown }, message: string): void }

/**
 * Reads a file for the `attempt`-th time, which the caller has stored: an attempt that crashes the process must count.
 * Returns why the file cannot be read, or null. Throws any other error if the job may try again.
 */
export async function tryToRead(log: Log, attempt: number, read: () => Promise<void>): Promise<SheetError | null> {
  try {
    if (attempt > maxAttempts) throw new SheetError('unreadable')
    await read()
    return null
  } catch (error) {
    if (error instanceof SheetError) return error
    if (attempt < maxAttempts) throw error
    log.error({ err: error }, 'a spreadsheet could not be read, twice')
    return new SheetError('unreadable')
  }
}
