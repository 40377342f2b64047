import { getPush, subscribePush, unsubscribePush } from '@waybill/contract/notifications/push'
import { call } from '../../../lib/api.ts'
import { local } from '../../../lib/browser/storage.ts'

/** The user who switched push messages on in this browser; another user who signs in here is not asked for. */
const userKey = 'pushUser'

/** Whether this browser can show push messages. On iPhones only a page on the home screen can. */
export const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** `denied`: by the user or the browser. `failed`: the browser has no push service, or cannot reach it. */
export type PushOutcome = 'on' | 'denied' | 'failed'

/**
 * Asks for permission and subscribes this browser. Call it from a click: browsers ignore the question otherwise. Throws
 * only what the server answers.
 */
export async function switchPushOn(publicKey: string, userId: string): Promise<PushOutcome> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  const worker = await navigator.serviceWorker.register('/push-worker.js')
  const applicationServerKey = toBytes(publicKey)
  const subscribe = () => worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  // A browser that subscribed with another key refuses until that subscription has ended.
  const subscription = await subscribe()
    .catch(async () => {
      await (await worker.pushManager.getSubscription())?.unsubscribe()
      return subscribe()
    })
    .catch(() => null)
  // Some browsers grant the question and refuse the subscription: what counts is what they say afterwards.
  if (subscription === null) return Notification.permission === 'denied' ? 'denied' : 'failed'
  await store(subscription)
  local.set(userKey, userId)
  return 'on'
}

/** Ends the push messages to this browser; `id`: its entry on the server. */
export async function switchPushOff(id: string): Promise<void> {
  local.remove(userKey)
  await call(unsubscribePush, { params: { id } })
  const worker = await navigator.serviceWorker.getRegistration('/')
  await (await worker?.pushManager.getSubscription())?.unsubscribe()
}

/** After signing in again, the browser of the user who switched push on belongs to the new session. */
export async function renewPush(userId: string): Promise<void> {
  if (local.get(userKey) !== userId || !canPush() || Notification.permission !== 'granted') return
  const worker = await navigator.serviceWorker.getRegistration('/')
  const subscription = await worker?.pushManager.getSubscription()
  if (!subscription) return
  const { devices } = await call(getPush)
  if (!devices.some(({ current }) => current)) await store(subscription)
}

async function store(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  await call(subscribePush, {
    body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } },
  })
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
