/** Spreadsheets that nobody comes back to. */
import type { Deps } from '../../../deps.ts'
import { days, later } from '../../../lib/clock.ts'
import { deleteOldBatches } from './queries.ts'

/** Rows are compared with those of this long before. */
export const twinsFor = days(90)

/** Rows that nobody touched for so long don't become parcels any more. */
const unusedFor = days(30)

/**
 * Part of the job `housekeeping:sweep`. Rows that became parcels stay as long as a new row is compared with them; then,
 * or when a batch has no rows left, the batch goes too. Parcels stay.
 */
export async function sweepBulk({ db, clock }: Deps): Promise<void> {
  const now = clock.now()
  await deleteOldBatches(db, { untouchedSince: later(now, -unusedFor), madeBefore: later(now, -twinsFor) })
}
