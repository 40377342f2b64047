/**
 * The delivery that the receiver of a parcel unlocks on the public tracking page: proof of delivery and full address.
 */
import * as z from 'zod/mini'
import { linkedPhoto } from '../attachments/linked-photo.ts'
import { endpoint } from '../ground/endpoint.ts'
import { instant } from '../ground/fields.ts'
import { unlockedRequest, unlockRequest } from './requests.ts'

/** Accepts full-width digits from Chinese keyboards. */
const halfWidth = (value: string) => value.normalize('NFKC').trim()

/** The delivery for its receiver. No phone number, no email address, no remarks, no money. */
export const unlockedDelivery = z.object({
  trackingNumber: z.string(),
  receiver: z.object({
    contactName: z.string(),
    company: z.nullable(z.string()),
    line1: z.string(),
    line2: z.nullable(z.string()),
    postcode: z.string(),
    city: z.string(),
    state: z.string(),
    country: z.string(),
  }),
  /** Null before the delivery, and for a returned parcel. */
  proof: z.nullable(
    z.object({
      at: instant,
      recipientName: z.string(),
      /** An SVG path in a 600 x 200 box, as drawn. */
      signaturePath: z.nullable(z.string()),
      photos: z.array(linkedPhoto),
    }),
  ),
})
export type UnlockedDelivery = z.output<typeof unlockedDelivery>

export const unlockTracking = endpoint({
  ...unlockRequest,
  body: z.object({
    number: z.string().check(z.minLength(1), z.maxLength(40)),
    /** Empty in countries without postcodes. */
    postcode: z.string().check(z.overwrite(halfWidth), z.maxLength(12)),
    /** The last four digits of the receiver's phone number. */
    phoneDigits: z.string().check(z.overwrite(halfWidth), z.regex(/^\d{4}$/)),
  }),
  response: z.object({ token: z.string(), endsAt: instant, delivery: unlockedDelivery }),
})
export type TrackingUnlock = z.output<NonNullable<typeof unlockTracking.response>>

export const readUnlocked = endpoint({
  ...unlockedRequest,
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) }),
  response: unlockedDelivery,
})
