/** Requests of public tracking, without the schemas of their responses. */
import type { EndpointShape } from '../ground/endpoint.ts'

/*
 * The requests of the public tracking page, without the Zod schemas, which only the server needs. With them the page
 * would load Zod: 11 of its 90 kB (decision 56).
 */

const path = '/api/public/parcels/tracking'

export const trackingRequest = {
  id: 'tracking.get',
  method: 'GET',
  path,
  access: 'public',
  summary: 'The same with query parameters: `?no=A,B`',
} as const satisfies EndpointShape

/** Server-sent events: `tracking` with a `PublicTracking` each time one of the numbers moves. */
export const liveTrackingRequest = {
  id: 'tracking.live',
  method: 'GET',
  path: `${path}/live`,
  access: 'public',
  summary: 'Server-sent events: a `tracking` event for each new status of these numbers',
  media: 'text/event-stream',
} as const satisfies EndpointShape

/** How long a delivery stays unlocked, and its token valid. */
export const unlockMinutes = 15

/** A POST, so that postcode and phone digits do not appear in any URL, log or browser history. */
export const unlockRequest = {
  id: 'tracking.unlock',
  method: 'POST',
  path: `${path}/unlock`,
  access: 'public',
  summary:
    "Unlocks proof of delivery and full address with the receiver's postcode and last four phone digits; " +
    'five attempts an hour for a number',
  question: true,
  perMinute: 30,
} as const satisfies EndpointShape

export const unlockedRequest = {
  id: 'tracking.unlocked',
  method: 'POST',
  path: `${path}/unlocked`,
  access: 'public',
  summary: 'The unlocked delivery again, by the token of the first unlock',
  question: true,
} as const satisfies EndpointShape

export const trackingPlacesRequest = {
  id: 'tracking.places',
  method: 'GET',
  path: `${path}/places`,
  access: 'public',
  summary: 'The places of a parcel, towns only, with coordinates for a map, and where the tiles of the map come from',
} as const satisfies EndpointShape

/** The response is always the same, so that it does not reveal whether an address already follows the parcel. */
export const followRequest = {
  id: 'tracking.follow',
  method: 'POST',
  path: `${path}/follow`,
  access: 'public',
  summary: 'Mails a link that confirms following the parcel; the answer is the same for an address that follows it',
  perMinute: 20,
} as const satisfies EndpointShape

export const followKeyRequest = {
  id: 'tracking.followKey',
  method: 'GET',
  path: `${path}/follow/push`,
  access: 'public',
  summary: 'The key with which a browser subscribes to follow a parcel; null: push is off',
} as const satisfies EndpointShape

/** Needs no confirmation link: the browser asks its user for permission, and only it can create its subscription. */
export const followByPushRequest = {
  id: 'tracking.followByPush',
  method: 'POST',
  path: `${path}/follow/push`,
  access: 'public',
  summary: 'Sends a browser a push message for each new status of the parcel; the token unsubscribes it',
  perMinute: 20,
} as const satisfies EndpointShape

const tokenPath = '/api/public/following/:token'

export const followingRequest = {
  id: 'tracking.following',
  method: 'GET',
  path: tokenPath,
  access: 'public',
  summary: 'The parcel of a mailed link, and whether it is followed; changes nothing',
  perMinute: 60,
} as const satisfies EndpointShape

export const endFollowingRequest = {
  id: 'tracking.followingEnd',
  method: 'POST',
  path: `${tokenPath}/end`,
  access: 'public',
  summary: 'Unsubscribes from the mails about a parcel; for one-click unsubscribe of mail programs (RFC 8058)',
} as const satisfies EndpointShape
