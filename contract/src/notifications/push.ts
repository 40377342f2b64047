/** Push messages to browsers of the caller (RFC 8030). */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant, ok, url } from '../ground/fields.ts'

const pushDevice = z.object({
  id,
  /** Browser and system, such as `Firefox, Windows`; null: unknown. */
  name: z.nullable(z.string()),
  /** Whether it is the calling browser. */
  current: z.boolean(),
  createdAt: instant,
})

/** The maximum number of devices; another one replaces the oldest. */
export const maxPushDevices = 20

export const getPush = endpoint({
  id: 'notifications.push',
  method: 'GET',
  path: '/api/customer/notifications/push',
  access: 'signedIn',
  summary: 'The key that a browser subscribes with (null: push is off), and the browsers that get push messages',
  response: z.object({ publicKey: z.nullable(z.string()), devices: z.array(pushDevice) }),
})

const base64url = (length: number) => z.string().check(z.regex(new RegExp(`^[\\w-]{${length}}=*$`)))

/** A browser's PushSubscription as JSON. */
export const pushSubscription = z.object({
  endpoint: url,
  /** The public key of the browser (65 bytes) and its secret (16 bytes), in base64url. */
  keys: z.object({ p256dh: base64url(87), auth: base64url(22) }),
})
export type BrowserSubscription = z.output<typeof pushSubscription>

export const subscribePush = endpoint({
  id: 'notifications.subscribe',
  method: 'POST',
  path: '/api/customer/notifications/push',
  access: 'signedIn',
  summary: 'Sends push messages to this browser, until it signs out. `body` is its PushSubscription as JSON',
  body: pushSubscription,
  response: pushDevice,
})

export const unsubscribePush = endpoint({
  id: 'notifications.unsubscribe',
  method: 'DELETE',
  path: '/api/customer/notifications/push/:id',
  access: 'signedIn',
  summary: 'Ends the push messages to a browser of the caller',
  params: idParams,
  response: ok,
})

/**
 * The message that a service worker receives, encrypted in transit. `end`: a button of the notification, with the
 * address to which it posts.
 */
export type PushMessage = {
  id: string
  title: string
  text: string
  path: string
  end?: { label: string; url: string }
}
