import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import {
  deliveryModeLabels,
  labelValues,
  legLabels,
  parcelStatusLabels,
  serviceTypeLabels,
  trackingStatusLabels,
} from '../ground/enums.ts'
import { day, instant } from '../ground/fields.ts'

/** What anybody may see: places at city level, no names, phones, streets or money (docs/rules/parcels.md). */
export const publicEvent = z.object({
  at: instant,
  event: z.string(),
  status: z.enum(labelValues(parcelStatusLabels)),
  trackingStatus: z.enum(labelValues(trackingStatusLabels)),
  place: z.nullable(z.string()),
})

export const publicTracking = z.object({
  trackingNumber: z.string(),
  trackingStatus: z.enum(labelValues(trackingStatusLabels)),
  status: z.enum(labelValues(parcelStatusLabels)),
  leg: z.enum(labelValues(legLabels)),
  serviceType: z.nullable(z.enum(labelValues(serviceTypeLabels))),
  deliveryMode: z.nullable(z.enum(labelValues(deliveryModeLabels))),
  originCity: z.nullable(z.string()),
  destinationCity: z.nullable(z.string()),
  expectedDate: z.nullable(day),
  /** The day that was promised first, where another one is expected now. */
  promisedDate: z.nullable(day),
  /** At its self-collection station: the last day on which it can be collected there. */
  collectUntil: z.nullable(day),
  events: z.array(publicEvent),
})
export type PublicTracking = z.output<typeof publicTracking>

/**
 * A number that was not found: `unknown`, a `slip` that can't be right, perhaps with what was meant, or `postal`: it
 * belongs to a postal operator, who is followed at `link`.
 */
export const notFoundNumber = z.object({
  number: z.string(),
  reason: z.enum(['unknown', 'slip', 'format', 'postal']),
  suggestion: z.nullable(z.string()),
  link: z.nullable(z.string()),
  message: z.string(),
})

/** `timezone` is the deployment's: the page shows its times in it without asking for the settings. */
const answer = z.object({ found: z.array(publicTracking), notFound: z.array(notFoundNumber), timezone: z.string() })
export type TrackingAnswer = z.output<typeof answer>
const number = z.string().check(z.minLength(1), z.maxLength(40))
const path = '/api/public/parcels/tracking'

export const publicTrack = endpoint({
  id: 'tracking.post',
  method: 'POST',
  path,
  access: 'public',
  summary: 'Follows up to 30 numbers; unknown ones come back as not found beside the found ones',
  body: z.object({ numbers: z.array(number).check(z.minLength(1), z.maxLength(30)) }),
  response: answer,
})

export const publicTrackGet = endpoint({
  id: 'tracking.get',
  method: 'GET',
  path,
  access: 'public',
  summary: 'The same by query: `?no=A,B`',
  query: z.object({ no: z.string().check(z.minLength(1), z.maxLength(30 * 41)) }),
  response: answer,
})

/** Server-sent events: `tracking` with a `PublicTracking` each time one of the numbers moves. */
export const publicTrackLive = endpoint({
  id: 'tracking.live',
  method: 'GET',
  path: '/api/public/parcels/tracking/live',
  access: 'public',
  summary: 'Live: a `tracking` event whenever one of the numbers moves',
  query: z.object({ no: z.string().check(z.minLength(1), z.maxLength(30 * 41)) }),
  media: 'text/event-stream',
})
