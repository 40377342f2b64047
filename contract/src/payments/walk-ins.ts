/** Parcels of senders without an account, booked and paid at a counter. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, locale } from '../ground/fields.ts'
import { currency, minorAmount } from '../ground/money.ts'
import { completeParcel } from '../parcels/parcels.ts'
import { drawerNumber, takeCash } from './cash-desk.ts'
import { coinsAt } from './coins.ts'

/** The sender brings the parcel, so no rider picks it up. */
export const walkInModes = ['P2D', 'P2P'] as const

/**
 * The parcel of a walk-in. It has no insurance and no cash on delivery: both pay money out to an account later. It is
 * dropped off at the clerk's station.
 */
export const walkInParcel = z.extend(
  z.omit(completeParcel, {
    dropOffStationId: true,
    insuredValueMinor: true,
    collectionMode: true,
    codAmountMinor: true,
    photoIds: true,
    unfinished: true,
  }),
  { deliveryMode: z.enum(walkInModes) },
)
export type WalkInParcel = z.output<typeof walkInParcel>

export const bookWalkIn = endpoint({
  id: 'cash.walkIn',
  method: 'POST',
  path: '/api/staff/cash/walk-ins',
  access: 'staff.operate',
  summary:
    'Books a parcel for a sender without an account, takes the cash, and accepts the parcel, all or nothing. Its ' +
    'tracking mails go to the sender if they have an email address',
  body: z
    .extend(walkInParcel, {
      /** The price that the sender agreed to; another price today is a 409 `price_changed`. */
      expectedTotalMinor: minorAmount,
      drawerNumber,
      givenMinor: minorAmount,
      currency,
      /** The language of the mails to sender and receiver. */
      language: locale,
    })
    .check(coinsAt('givenMinor')),
  response: z.object({ parcelId: id, trackingNumber: z.string(), sale: takeCash.response }),
  idempotent: true,
})
