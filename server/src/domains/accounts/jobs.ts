/** Housekeeping of accounts. */
import type { Deps } from '../../deps.ts'
import { days, later } from '../../lib/clock.ts'
import { deleteOldDevices } from './devices/queries.ts'
import { deleteOldSessions } from './queries.ts'
import { deleteOldCodes } from './sign-in/queries-codes.ts'

/**
 * Codes are kept for a day after they expire, so that a new one can be sent; ended sessions for a month, for the
 * activity log; devices for a year.
 */
export async function sweepAccounts(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  await deleteOldCodes(deps.db, later(now, -days(1)))
  await deleteOldSessions(deps.db, later(now, -days(30)))
  await deleteOldDevices(deps.db, later(now, -days(365)))
}
