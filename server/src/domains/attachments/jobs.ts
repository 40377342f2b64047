/** Housekeeping of attachments. */
import { inBatches } from '../../db/batches.ts'
import type { Deps } from '../../deps.ts'
import { forEachItem } from '../../jobs/each-item.ts'
import { days, hours, later } from '../../lib/clock.ts'
import { removeLoose } from './file-store.ts'
import { deleteUnclaimed, type LooseFile, listLooseFiles } from './queries.ts'

/** How long an attachment may be unclaimed, and a file without a row. */
const unclaimedFor = days(1)
const looseFor = hours(1)
const batch = 200

/** Part of `housekeeping:sweep`: deletes attachments that nothing claimed for a day, and files without a row. */
export async function sweepAttachments(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const looseUntil = later(now, -looseFor)
  // The files of rows that are deleted here are backdated, so that this same cleanup removes them.
  while ((await deleteUnclaimed(deps.db, later(now, -unclaimedFor), later(looseUntil, -1), batch)) === batch);
  const looseFiles = inBatches((last: LooseFile | null) => listLooseFiles(deps.db, looseUntil, last, batch))
  await forEachItem(looseFiles, ({ storage_key: key }) => removeLoose(deps, key))
}
