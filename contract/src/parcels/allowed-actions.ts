/** Actions on a parcel that can cost a fee: recall and return. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day, id, idParams, instant, integer, optionalText, pin, version } from '../ground/fields.ts'
import { currency } from '../ground/money.ts'
import { pickupWindows } from '../pickups/pickup-choice.ts'
import { priceLine } from '../pricing/pricing.ts'
import { parcel, parcelActions } from './parcels.ts'

/** The fee of an action, tax included; `totalMinor` is 0 if it is free. */
const fee = z.object({ lines: z.array(priceLine), totalMinor: z.number() })

/** An action that can cost a fee: whether it is open, the reason if not (key under `errors.`), and the fee. */
const chargedAction = z.object({ open: z.boolean(), reason: z.nullable(z.string()), fee })

export const actionsOfParcel = z.object({
  version,
  currency,
  allowed: z.array(z.enum(parcelActions)),
  recall: chargedAction,
  /** `until`: the end of the return window, once delivered. */
  return: z.extend(chargedAction, { until: z.nullable(instant) }),
})
export type ActionsOfParcel = z.output<typeof actionsOfParcel>

export const getParcelActions = endpoint({
  id: 'parcels.actions',
  method: 'GET',
  path: '/api/customer/parcels/:id/actions',
  access: 'customer.view',
  summary: 'The actions that a parcel allows now, and the fees of recall and return',
  params: idParams,
  response: actionsOfParcel,
})

const feeRequest = z.object({
  version,
  /** The fee that the customer saw; if it has changed, the response is 409 with both amounts. */
  expectedFeeMinor: integer(0),
  /** The PIN of the wallet; required if there is a fee. */
  pin: z.optional(pin),
  reason: optionalText(200),
})

/** `orderId`: the charge, with a separate invoice; null if there was nothing to pay. */
const movedParcel = z.object({ parcel, orderId: z.nullable(id) })

export const recallParcel = endpoint({
  id: 'parcels.recall',
  method: 'POST',
  path: '/api/customer/parcels/:id/recall',
  access: 'pay',
  summary: 'Recalls a parcel in transit, unless a rider has it; the fee is paid with credits',
  params: idParams,
  body: feeRequest,
  response: movedParcel,
  idempotent: true,
})

/** When the rider picks up a return: the requested slot, or the first open one. */
const returnPickup = z.object({ id, number: z.string(), date: day, window: z.string() })

export const returnParcel = endpoint({
  id: 'parcels.return',
  method: 'POST',
  path: '/api/customer/parcels/:id/return',
  access: 'pay',
  summary:
    'Asks for a delivered parcel to be fetched from its receiver, within the return window; paid with credits. A ' +
    'pickup is made',
  params: idParams,
  body: z.extend(feeRequest, {
    /** When the rider should visit the receiver; absent: the first open slot. */
    pickup: z.optional(z.object({ date: day, window: z.enum(pickupWindows) })),
  }),
  response: z.extend(movedParcel, { pickup: returnPickup }),
  idempotent: true,
})
