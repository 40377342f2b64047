/** Housekeeping of notifications. */
import type { Deps } from '../../deps.ts'
import { days, later } from '../../lib/clock.ts'
import { deleteOldNotifications } from './queries-inbox.ts'

/** Deletes old notifications, together with the records of their pop-ups. */
export async function sweepNotifications(deps: Deps): Promise<void> {
  const before = later(deps.clock.now(), -days(deps.settings.get('retention.notificationDays')))
  await deleteOldNotifications(deps.db, before)
}
