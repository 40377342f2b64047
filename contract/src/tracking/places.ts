/** The places of a parcel on a map. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { instant } from '../ground/fields.ts'
import { trackingPlacesRequest } from './requests.ts'

export const trackingPlace = z.object({
  /** A town. More precise places are not public. */
  name: z.string(),
  /** When the parcel arrived there; null for the destination of a parcel in transit. */
  at: z.nullable(instant),
  /** Null for a town that is not in the data: it is only in the list. */
  position: z.nullable(z.object({ latitude: z.number(), longitude: z.number() })),
})
export type TrackingPlace = z.output<typeof trackingPlace>

export const trackingPlaces = endpoint({
  ...trackingPlacesRequest,
  query: z.object({ no: z.string().check(z.minLength(1), z.maxLength(40)) }),
  response: z.object({
    places: z.array(trackingPlace),
    /** The source of the map's tiles; the public page loads no settings. */
    tiles: z.nullable(z.object({ tileUrl: z.string(), attribution: z.string() })),
    timezone: z.string(),
  }),
})
export type TrackingPlaces = z.output<NonNullable<typeof trackingPlaces.response>>
