/** Requests of public tracking, without the schemas of their responses. */
import type { EndpointShape } from '../ground/endpoint.ts'

/*
 * What the public tracking page sends, without the Zod schemas, which the server alone needs. With them the page would
 * load Zod: 11 of its 90 kB (decision 56).
 */

const path = '/api/public/parcels/tracking'

export const trackingRequest = {
  id: 'tracking.get',
  method: 'GET',
  path,
  access: 'public',
  summary: 'The same by query: `?no=A,B`',
} as const satisfies EndpointShape

/** Server-sent events: `tracking` with a `PublicTracking` each time one of the numbers moves. */
export const liveTrackingRequest = {
  id: 'tracking.live',
  method: 'GET',
  path: `${path}/live`,
  access: 'public',
  summary: 'Live: a `tracking` event whenever one of the numbers moves',
  media: 'text/event-stream',
} as const satisfies EndpointShape
