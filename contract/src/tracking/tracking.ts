/** Public tracking, without signing in. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { labelValues } from '../ground/enums/labels.ts'
import {
  deliveryModeLabels,
  legLabels,
  parcelStatusLabels,
  serviceTypeLabels,
  trackingStatusLabels,
} from '../ground/enums/parcel-enums.ts'
import { day, instant } from '../ground/fields.ts'
import { liveTrackingRequest, trackingRequest } from './requests.ts'

/** Public data of a parcel: places at city level, no names, phones, streets or money (docs/rules/parcels.md). */
export const publicEvent = z.object({
  at: instant,
  event: z.string(),
  status: z.enum(labelValues(parcelStatusLabels)),
  trackingStatus: z.enum(labelValues(trackingStatusLabels)),
  place: z.nullable(z.string()),
})

/** What happens next, or how the journey ended. */
export const nextSteps = [
  ...labelValues(trackingStatusLabels),
  ...(['last_station', 'collect', 'failed', 'retry', 'return', 'returned'] as const),
] as const
export type NextStep = (typeof nextSteps)[number]

export const publicTracking = z.object({
  trackingNumber: z.string(),
  trackingStatus: z.enum(labelValues(trackingStatusLabels)),
  status: z.enum(labelValues(parcelStatusLabels)),
  leg: z.enum(labelValues(legLabels)),
  serviceType: z.nullable(z.enum(labelValues(serviceTypeLabels))),
  deliveryMode: z.nullable(z.enum(labelValues(deliveryModeLabels))),
  originCity: z.nullable(z.string()),
  destinationCity: z.nullable(z.string()),
  /** Null before the handover, on the way back, and after a failed delivery until the next step is chosen. */
  expectedDate: z.nullable(day),
  next: z.enum(nextSteps),
  /** The originally promised day, if another day is expected now. */
  promisedDate: z.nullable(day),
  /** The delivery has failed, and the sender or the receiver chooses what happens next. */
  awaitsChoice: z.boolean(),
  /** For a parcel at its self-collection station: the last day for collecting it. */
  collectUntil: z.nullable(day),
  events: z.array(publicEvent),
})
export type PublicTracking = z.output<typeof publicTracking>

/**
 * A number that was not found: `unknown`; a `slip` (wrong check digit), perhaps with a suggestion; or `postal`: it
 * belongs to a postal operator and can be tracked at `link`.
 */
export const notFoundNumber = z.object({
  number: z.string(),
  reason: z.enum(['unknown', 'slip', 'format', 'postal']),
  suggestion: z.nullable(z.string()),
  link: z.nullable(z.string()),
  message: z.string(),
})

/** `timezone` is the deployment's: the page shows times in it without loading the settings. */
const answer = z.object({ found: z.array(publicTracking), notFound: z.array(notFoundNumber), timezone: z.string() })
export type TrackingAnswer = z.output<typeof answer>
const number = z.string().check(z.minLength(1), z.maxLength(40))

export const publicTrack = endpoint({
  id: 'tracking.post',
  method: 'POST',
  path: trackingRequest.path,
  access: 'public',
  summary: 'Tracks up to 30 numbers; unknown ones are returned as not found',
  body: z.object({ numbers: z.array(number).check(z.minLength(1), z.maxLength(30)) }),
  response: answer,
  question: true,
})

export const publicTrackGet = endpoint({
  ...trackingRequest,
  query: z.object({ no: z.string().check(z.minLength(1), z.maxLength(30 * 41)) }),
  response: answer,
})

export const publicTrackLive = endpoint({
  ...liveTrackingRequest,
  query: z.object({ no: z.string().check(z.minLength(1), z.maxLength(30 * 41)) }),
})
