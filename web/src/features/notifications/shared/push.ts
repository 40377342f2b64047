import { getPush, subscribePush, unsubscribePush } from '@waybill/contract/notifications/push'
import { call } from '../../../lib/api.ts'
import { local } from '../../../lib/browser/storage.ts'
import { canPush, subscribeBrowser, toBody } from './subscribe-browser.ts'

/** The user who switched on push messages in this browser; they do not apply to another user who signs in here. */
const userKey = 'pushUser'

/** Why push messages could not be switched on (`subscribeBrowser`). */
export type PushOutcome = 'on' | 'denied' | 'failed'

/** Subscribes this browser for the user. Call it from a click. Throws only errors of the server. */
export async function switchPushOn(publicKey: string, userId: string): Promise<PushOutcome> {
  const subscription = await subscribeBrowser(publicKey)
  if (typeof subscription === 'string') return subscription
  await call(subscribePush, { body: toBody(subscription) })
  local.set(userKey, userId)
  return 'on'
}

/**
 * Ends the user's push messages to a browser; `id`: its entry on the server. This browser keeps its subscription, which
 * parcels that are followed without an account may use as well.
 */
export async function switchPushOff({ id, current }: { id: string; current: boolean }): Promise<void> {
  if (current) local.remove(userKey)
  await call(unsubscribePush, { params: { id } })
}

/** After a new sign-in, links the browser of the user who switched on push to the new session. */
export async function renewPush(userId: string): Promise<void> {
  if (local.get(userKey) !== userId || !canPush() || Notification.permission !== 'granted') return
  const worker = await navigator.serviceWorker.getRegistration('/')
  const subscription = await worker?.pushManager.getSubscription()
  if (!subscription) return
  const { devices } = await call(getPush)
  if (!devices.some(({ current }) => current)) await call(subscribePush, { body: toBody(subscription) })
}
