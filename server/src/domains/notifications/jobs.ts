/** The part of the housekeeping for notifications. */
import { deleteInBatches } from '../../db/batches.ts'
import type { Deps } from '../../deps.ts'
import { days, later } from '../../lib/clock.ts'
import { deleteOldNotifications } from './queries-inbox.ts'

/** Deletes old notifications, with the marks of who popped them up. */
export async function sweepNotifications(deps: Deps): Promise<void> {
  const before = later(deps.clock.now(), -days(deps.settings.get('retention.notificationDays')))
  await deleteInBatches((limit) => deleteOldNotifications(deps.db, before, limit))
}
