// Deletes old batches.
import type { Deps } from '../../../deps.ts'
import { days, later } from '../../../lib/clock.ts'
import { deleteOldBatches } from './queries-batches.ts'

/** Rows are compared with earlier rows of this age at most, to find duplicates. */
export const twinsFor = days(90)

/** The rows of a batch that has not changed for this long are deleted. */
const unusedFor = days(30)

/**
 * Part of the job `housekeeping:sweep`. Rows that became parcels are kept while new rows are compared with them. A
 * batch without rows is deleted; its parcels stay.
 */
export async function sweepBulk({ db, clock }: Deps): Promise<void> {
  const now = clock.now()
  await deleteOldBatches(db, { untouchedSince: later(now, -unusedFor), createdBefore: later(now, -twinsFor) })
}
