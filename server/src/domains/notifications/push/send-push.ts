/** The job that sends one notification to one browser. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { PushMessage } from '@waybill/contract/notifications/push'
import type { Deps } from '../../../deps.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import { days, later } from '../../../lib/clock.ts'
import { presentNotifications } from '../present.ts'
import { findNotification, findReaders } from '../queries.ts'
import { isOn } from '../rules.ts'
import { deliverToBrowser } from './deliver-to-browser.ts'
import { deleteSubscription, findSubscription, type SubscriptionRow } from './queries.ts'

/** An encrypted message must stay below 4 kB. */
const longestText = 300

/**
 * The job `notifications:push`. A browser that no longer exists is deleted. Throws the errors of `deliverToBrowser`.
 */
export async function sendPush(
  deps: Deps,
  { notificationId, subscriptionId }: Jobs['notifications:push'],
): Promise<void> {
  const now = deps.clock.now()
  const subscription = await findSubscription(deps.db, subscriptionId, now)
  if (!subscription || !deps.config.push) return
  // After the sign-out another person may use the browser.
  if (!subscription.signed_in) return forget(deps, subscription)
  const message = await findMessage(deps, notificationId, subscription.user_id, now)
  if (!message) return
  const { endpoint, p256dh, auth } = subscription
  if (!(await deliverToBrowser(deps, { endpoint, keys: { p256dh, auth } }, message))) await forget(deps, subscription)
}

const forget = async (deps: Deps, { user_id, id }: SubscriptionRow): Promise<void> => {
  await deleteSubscription(deps.db, user_id, id)
}

/** The message; null if it should no longer be shown: read, deleted, switched off or a day old. */
async function findMessage(deps: Deps, id: string, userId: string, now: Date): Promise<PushMessage | null> {
  const row = await findNotification(deps.db, id)
  const [reader] = await findReaders(deps.db, [userId])
  if (!row || !reader || row.read_at !== null || row.user_id !== userId) return null
  if (later(row.delivered_at ?? row.created_at, days(1)) < now) return null
  if (!isOn(row.kind, 'push', reader.channels)) return null
  const locale = reader.language as Locale
  const [notification] = presentNotifications(deps, [row], { kind: reader.kind, locale })
  if (!notification) return null
  const { title, text, path } = notification
  const list = reader.kind === 'staff' ? '/staff/notifications' : '/notifications'
  return { id, title, text: text.slice(0, longestText), path: path ?? list }
}
