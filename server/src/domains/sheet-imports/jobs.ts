/** Deletes old imports. */
import type { Deps } from '../../deps.ts'
import { days, later } from '../../lib/clock.ts'
import { deleteOldImports } from './queries.ts'

/** How long the changes of an import can be looked up. */
const importsFor = days(90)

/** Part of the job `housekeeping:sweep`. */
export async function sweepSheetImports({ db, clock }: Deps): Promise<void> {
  const before = later(clock.now(), -importsFor)
  await deleteOldImports(db, before)
}
