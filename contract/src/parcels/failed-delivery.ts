/**
 * Failed deliveries: the reason, and the choice of what happens next, by the sender or through the link of a mail.
 */
import * as z from 'zod/mini'
import { party } from '../addresses/addresses.ts'
import { endpoint } from '../ground/endpoint.ts'
import { day, id, idParams, instant, integer, pin } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { priceLine } from '../pricing/pricing.ts'

/** Why a delivery failed: a translation key under `failureReason.`. */
export const failureReasons = ['not_home', 'bad_address', 'refused', 'closed', 'damaged', 'other'] as const

/** The choices after a failed delivery. */
export const choiceKinds = ['retry', 'correct', 'divert', 'recall'] as const
export type ChoiceKind = (typeof choiceKinds)[number]

export const choosers = ['sender', 'receiver', 'system'] as const

const chosenBase = z.object({
  kind: z.enum(choiceKinds),
  by: z.enum(choosers),
  /** Recorded by staff on behalf of the sender or the receiver. */
  recordedByStaff: z.boolean(),
  at: instant,
  /** `retry`: the day. */
  date: z.nullable(day),
  /** `divert`: the name of the station. */
  station: z.nullable(z.string()),
})

/** The latest failed delivery of a parcel, and the choice after it, as staff see it. */
export const failedAttempt = z.object({
  at: instant,
  reason: z.nullable(z.enum(failureReasons)),
  note: z.nullable(z.string()),
  /** The number of the attempt, from 1, and the maximum number. */
  attempt: z.number(),
  attemptsAllowed: z.number(),
  /** No attempt is left: another delivery to the door needs a delivery choice. */
  attemptsUsed: z.boolean(),
  /** The parcel is being returned to its sender, so there is no choice. */
  goingBack: z.boolean(),
  /** The deadline of the choice; null: there is none to make. */
  decideUntil: z.nullable(instant),
  chosen: z.nullable(chosenBase),
})
export type FailedAttempt = z.output<typeof failedAttempt>

/** Why a choice is closed: a translation key under `choiceClosed.`. */
export const choiceClosedReasons = [
  'attempts_used',
  'receiver_free_only',
  'not_for_receiver',
  'no_station',
  'needs_pay_right',
  'only_free',
] as const

const option = z.object({
  kind: z.enum(choiceKinds),
  open: z.boolean(),
  reason: z.nullable(z.enum(choiceClosedReasons)),
  /** Tax included. For `correct` the fee applies only within the same zone. */
  feeMinor: z.number(),
})

const choiceWithFee = z.extend(chosenBase, { feeMinor: z.number() })

const collectionPoint = z.object({
  id,
  name: z.string(),
  line1: z.string(),
  postcode: z.string(),
  city: z.string(),
  distanceM: z.nullable(z.number()),
})

/** The data that the holder of a link sees: no name, street or money of the sender. */
const shared = {
  trackingNumber: z.string(),
  /** The parcel is still waiting for a choice. */
  waiting: z.boolean(),
  attempt: z.number(),
  attemptsAllowed: z.number(),
  failedAt: instant,
  failureReason: z.nullable(z.enum(failureReasons)),
  /** After this the parcel is returned to its sender automatically. */
  decideUntil: instant,
  chosen: z.nullable(choiceWithFee),
  options: z.array(option),
  /** Working days for another attempt. */
  dates: z.array(day),
  stations: z.array(collectionPoint),
  currency,
}

export const deliveryChoice = z.object({ parcelId: id, receiver: party, ...shared })
export type DeliveryChoice = z.output<typeof deliveryChoice>

export const publicDeliveryChoice = z.object({
  ...shared,
  /** Whose link it is. */
  by: z.enum(['sender', 'receiver']),
  city: z.string(),
  timezone: z.string(),
})
export type PublicDeliveryChoice = z.output<typeof publicDeliveryChoice>

export const choiceDetails = z.object({
  kind: z.enum(choiceKinds),
  /** `retry`: one of `dates`. */
  date: z._default(z.nullable(day), null),
  /** `divert`: a station that hands out parcels. */
  stationId: z._default(z.nullable(id), null),
  /** `correct`: the whole address. */
  receiver: z._default(z.nullable(party), null),
})

export const getDeliveryChoice = endpoint({
  id: 'parcels.deliveryChoice',
  method: 'GET',
  path: '/api/customer/parcels/:id/delivery-choice',
  access: 'customer.view',
  summary: 'The choices after a failed delivery, each with its fee; 409 if no delivery has failed',
  params: idParams,
  response: deliveryChoice,
})

export const quoteDeliveryChoice = endpoint({
  id: 'parcels.deliveryChoiceQuote',
  method: 'POST',
  path: '/api/customer/parcels/:id/delivery-choice/quote',
  access: 'customer.view',
  summary: 'The price of a choice before it is made; an address in another zone has a new price',
  params: idParams,
  body: choiceDetails,
  response: z.object({ feeMinor: z.number(), lines: z.array(priceLine), otherZone: z.boolean(), currency }),
})

export const makeDeliveryChoice = endpoint({
  id: 'parcels.deliveryChoiceMake',
  method: 'POST',
  path: '/api/customer/parcels/:id/delivery-choice',
  access: 'parcels.settle',
  summary:
    'Chooses; a fee is paid with credits and needs the PIN. 409 when the fee is another, it was chosen already ' +
    'or the rider is out',
  params: idParams,
  body: z.extend(choiceDetails, {
    expectedFeeMinor: integer(0),
    pin: z._default(z.nullable(pin), null),
  }),
  response: deliveryChoice,
  idempotent: true,
})

/** A choice that costs nothing: by the link of a mail, or recorded by staff. */
const freeChoice = z.object({
  kind: z.enum(['retry', 'divert', 'recall']),
  date: z._default(z.nullable(day), null),
  stationId: z._default(z.nullable(id), null),
})

/** On whose behalf staff record a choice. */
const person = z.enum(['sender', 'receiver'])

export const staffDeliveryChoice = z.object(shared)
export type StaffDeliveryChoice = z.output<typeof staffDeliveryChoice>

export const getStaffDeliveryChoice = endpoint({
  id: 'staff.deliveryChoice',
  method: 'GET',
  path: '/api/staff/parcels/:id/delivery-choice',
  access: 'staff.parcels',
  summary:
    'The choices after a failed delivery that staff may record for its sender or receiver; 409 if none has failed',
  params: idParams,
  query: z.object({ by: person }),
  response: staffDeliveryChoice,
})

export const recordDeliveryChoice = endpoint({
  id: 'staff.deliveryChoiceRecord',
  method: 'POST',
  path: '/api/staff/parcels/:id/delivery-choice',
  access: 'staff.parcels',
  summary: 'Records what the sender or receiver told staff to do; only choices without a fee. 409 if one was made',
  params: idParams,
  body: z.extend(freeChoice, { by: person }),
  response: staffDeliveryChoice,
  idempotent: true,
})

const tokenParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) })

export const getPublicDeliveryChoice = endpoint({
  id: 'delivery.get',
  method: 'GET',
  path: '/api/public/delivery/:token',
  access: 'public',
  summary: 'The choices of the receiver, or of a sender without an account, by the link of their mail',
  params: tokenParams,
  response: publicDeliveryChoice,
  perMinute: 60,
})

export const makePublicDeliveryChoice = endpoint({
  id: 'delivery.choose',
  method: 'POST',
  path: '/api/public/delivery/:token',
  access: 'public',
  summary:
    'The holder of the link chooses another day or a station, or a sender without an account the return; only ' +
    'options without a fee',
  params: tokenParams,
  body: freeChoice,
  response: publicDeliveryChoice,
  perMinute: 20,
})
