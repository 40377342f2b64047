/** The time windows of a door in which a rider can come. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { country, day, integerText, postcode } from '../ground/fields.ts'
import { pickupWindows } from './pickup-choice.ts'

/** Why a slot is closed: a rest day, a time in the past, or no capacity. Label `pickupClosed.<reason>`. */
export const slotReasons = ['rest_day', 'past', 'full'] as const

export const pickupSlots = endpoint({
  id: 'pickups.slots',
  method: 'GET',
  path: '/api/customer/pickup-request/slots',
  access: 'customer.view',
  summary: 'The days and windows of pickups at a postcode, unavailable ones with the reason, and booked visits',
  query: z.object({
    postcode,
    country,
    days: z._default(integerText(1, 30), 14),
    /** With the address lines, the response marks visits that are booked to the same address. */
    line1: z.optional(z.string().check(z.maxLength(120))),
    line2: z.optional(z.string().check(z.maxLength(120))),
  }),
  response: z.object({
    items: z.array(
      z.object({
        date: day,
        window: z.enum(pickupWindows),
        closed: z.nullable(z.enum(slotReasons)),
        /** A visit is already booked: no pickup fee, and never full. */
        visit: z.boolean(),
      }),
    ),
  }),
})
