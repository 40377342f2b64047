/** Sends one message to one browser, through its push service. */
import type { BrowserSubscription, PushMessage } from '@waybill/contract/notifications/push'
import type { Deps } from '../../../deps.ts'
import { PermanentJobError } from '../../../jobs/jobs.ts'
import { post } from '../../../lib/outbound/post.ts'
import { resolveByDns } from '../../../lib/outbound/public-address.ts'
import { lazyPackage } from '../../../lib/packages/lazy-package.ts'

const webPush = lazyPackage<typeof import('web-push')>('web-push')

/**
 * If a push service is down for longer than these attempts last (half an hour), the message is outdated and dropped.
 */
export const pushAttempts = 8

/** How long push services keep a message for an offline browser. */
const keptSeconds = 86_400

/** Statuses that mean that the browser has unsubscribed. */
const goneStatuses = [404, 410]

/**
 * Sends a message. False: the browser no longer exists, or its address must not be called, so the caller deletes it.
 * Throws while the push service is down or busy, so that a job is retried.
 * @throws PermanentJobError when the push service refuses our keys or the message
 */
export async function deliverToBrowser(
  deps: Deps,
  subscription: BrowserSubscription,
  message: PushMessage,
): Promise<boolean> {
  const status = await postMessage(deps, subscription, message)
  if (status === null || goneStatuses.includes(status)) return false
  if (status >= 200 && status < 300) return true
  const host = new URL(subscription.endpoint).host
  if (status === 429 || status >= 500) throw new Error(`the push service ${host} answered ${status}`)
  throw new PermanentJobError(`the push service ${host} refused a message: ${status}`)
}

/** The status of the push service; null if its address must not be called. Throws if it did not answer. */
async function postMessage(
  { config }: Deps,
  subscription: BrowserSubscription,
  message: PushMessage,
): Promise<number | null> {
  const { anyAddress } = config.webhooks
  const url = new URL(subscription.endpoint)
  const request = webPush().generateRequestDetails(subscription, JSON.stringify(message), {
    vapidDetails: config.push ?? undefined,
    TTL: keptSeconds,
    contentEncoding: 'aes128gcm',
  })
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const { status, problem } = await post(
    { url, headers, body: request.body ?? Buffer.alloc(0) },
    { resolve: anyAddress ? null : resolveByDns, plainHttp: anyAddress },
  )
  if (problem === 'address') return null
  if (status === null) throw new Error(`the push service ${url.host} did not answer: ${problem}`)
  return status
}
