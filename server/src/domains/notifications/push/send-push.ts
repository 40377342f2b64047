/** The job that sends one notification to one browser. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { PushMessage } from '@waybill/contract/notifications/push'
import webPush from 'web-push'
import type { Deps } from '../../../deps.ts'
import { type Jobs, PermanentJobError } from '../../../jobs/jobs.ts'
import { days, later } from '../../../lib/clock.ts'
import { post } from '../../../lib/outbound/post.ts'
import { resolveByDns } from '../../../lib/outbound/public-address.ts'
import { presentNotifications } from '../present.ts'
import { findNotification, findReaders } from '../queries.ts'
import { isOn } from '../rules.ts'
import { deleteSubscription, findSubscription, type SubscriptionRow } from './queries.ts'

/** Push services keep a message for a browser that is off for this long. */
const keptSeconds = 86_400
/** Encrypted, a message must stay below 4 kB. */
const longestText = 300

/** Statuses that say that the browser has unsubscribed. */
const goneStatuses = [404, 410]

/**
 * The job `notifications:push`. Throws while the push service is down or busy, so the job is retried. A browser that no
 * longer exists is deleted.
 * @throws PermanentJobError when the push service refuses our keys or the message
 */
export async function sendPush(
  deps: Deps,
  { notificationId, subscriptionId }: Jobs['notifications:push'],
): Promise<void> {
  const now = deps.clock.now()
  const subscription = await findSubscription(deps.db, subscriptionId, now)
  if (!subscription || !deps.config.push) return
  // After the sign-out the browser may belong to another person.
  if (!subscription.signed_in) return forget(deps, subscription)
  const message = await findMessage(deps, notificationId, subscription.user_id, now)
  if (!message) return
  const status = await deliverTo(deps, subscription, message)
  if (status === null) return forget(deps, subscription)
  if (status >= 200 && status < 300) return
  if (goneStatuses.includes(status)) return forget(deps, subscription)
  const host = new URL(subscription.endpoint).host
  if (status === 429 || status >= 500) throw new Error(`the push service ${host} answered ${status}`)
  throw new PermanentJobError(`the push service ${host} refused a message: ${status}`)
}

const forget = async (deps: Deps, { user_id, id }: SubscriptionRow): Promise<void> => {
  await deleteSubscription(deps.db, user_id, id)
}

/** The message; null if nobody is to see it any more: read, deleted, switched off or a day old. */
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

/** The status of the push service; null if its address must not be called. Throws if it did not answer. */
async function deliverTo(deps: Deps, subscription: SubscriptionRow, message: PushMessage): Promise<number | null> {
  const { anyAddress, plainHttp } = deps.config.webhooks
  const { endpoint, p256dh, auth } = subscription
  const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(message), {
    vapidDetails: deps.config.push ?? undefined,
    TTL: keptSeconds,
    contentEncoding: 'aes128gcm',
  })
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const { status, problem } = await post(
    { url: new URL(endpoint), headers, body: request.body ?? Buffer.alloc(0) },
    { resolve: anyAddress ? null : resolveByDns, plainHttp },
  )
  if (problem === 'address') return null
  if (status === null) throw new Error(`the push service ${new URL(endpoint).host} did not answer: ${problem}`)
  return status
}
