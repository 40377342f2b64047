/** Deletes old imports and address links. */
import type { Deps } from '../../deps.ts'
import { days, later } from '../../lib/clock.ts'
import { deleteOldImports } from './import/queries.ts'
import { deleteOldRequests } from './requests/queries.ts'

/** An import that has not changed for this long is deleted; its addresses stay. */
const importsFor = days(30)
/** Senders can look up links for this long after they have expired. */
const requestsFor = days(90)

/** Part of the job `housekeeping:sweep`. */
export async function sweepAddresses({ db, clock }: Deps): Promise<void> {
  const now = clock.now()
  await deleteOldRequests(db, later(now, -requestsFor))
  await deleteOldImports(db, later(now, -importsFor))
}
