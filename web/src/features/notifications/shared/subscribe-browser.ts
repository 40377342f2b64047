/** Whether this browser can show push messages. On iPhones only a page on the home screen can. */
export const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/**
 * Asks for permission and subscribes this browser. Call it from a click: otherwise browsers ignore the question.
 * `denied`: by the user or the browser. `failed`: the browser has no push service, or cannot reach it.
 */
export async function subscribeBrowser(publicKey: string): Promise<PushSubscription | 'denied' | 'failed'> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  await navigator.serviceWorker.register('/push-worker.js')
  // A worker that is still being installed cannot subscribe.
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = toBytes(publicKey)
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  // A browser that subscribed with another key refuses until that subscription has ended.
  const subscription = await subscribe()
    .catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe()
      return subscribe()
    })
    .catch(() => null)
  // Some browsers grant permission but refuse the subscription, so the permission is read again afterwards.
  return subscription ?? (Notification.permission === 'denied' ? 'denied' : 'failed')
}

/** A subscription in the format of the calls. */
export function toBody(subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
