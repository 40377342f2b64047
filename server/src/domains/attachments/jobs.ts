/** Housekeeping of attachments. */
import type { Deps } from '../../deps.ts'
import { days, hours, later } from '../../lib/clock.ts'
import { removeLoose } from './file-store.ts'
import { deleteUnclaimed, looseFilesSince } from './queries.ts'

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
  for (;;) {
    const keys = await looseFilesSince(deps.db, looseUntil, batch)
    await removeLoose(deps, keys)
    if (keys.length < batch) return
  }
}
