// Deletes old batches.
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { days, later } from '../../../lib/clock.ts'
import { comparisonPeriod, updateDuplicateMarks } from '../bulk-rows/duplicate-rows.ts'
import { deleteOldBatches } from './queries-batches.ts'

/** The rows of a batch that has not changed for this long are deleted. */
const unusedFor = days(30)

/**
 * Part of the job `housekeeping:sweep`. Rows that became parcels are kept while new rows are compared with them. A
 * batch without rows is deleted; its parcels stay.
 */
export async function sweepBulk(deps: Deps): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const limits = { untouchedSince: later(now, -unusedFor), createdBefore: later(now, -comparisonPeriod) }
  await deleteOldBatches(db, limits, async (deletedRows) => {
    for (const [accountId, rows] of Map.groupBy(deletedRows, ({ account_id }) => account_id)) {
      const hashes = rows.map(({ hash }) => hash)
      await tx(db, (trx) => updateDuplicateMarks(deps, trx, accountId, hashes))
    }
  })
}
