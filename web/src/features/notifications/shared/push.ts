import { getPush, subscribePush, unsubscribePush } from '@waybill/contract/notifications/push'
import { call } from '../../../lib/api.ts'
import { local } from '../../../lib/browser/storage.ts'

/** The user who switched push messages on in this browser; another user who signs in here is not asked for. */
const userKey = 'pushUser'

/** Whether this browser can show push messages. On iPhones only a page on the home screen can. */
export const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/**
 * Asks for permission and subscribes this browser. False if the user or the browser refuses. Call it from a click:
 * browsers ignore the question otherwise.
 */
export async function switchPushOn(publicKey: string, userId: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const worker = await navigator.serviceWorker.register('/push-worker.js')
  const applicationServerKey = toBytes(publicKey)
  const subscribe = () => worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  // A browser that subscribed with another key refuses until that subscription has ended.
  const subscription = await subscribe().catch(async () => {
    await (await worker.pushManager.getSubscription())?.unsubscribe()
    return subscribe()
  })
  await store(subscription)
  local.set(userKey, userId)
  return true
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
