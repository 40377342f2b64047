/** The day and the window of a pickup. */
import * as z from 'zod/mini'
import { party } from '../addresses/addresses.ts'
import { day } from '../ground/fields.ts'

/** Pickup windows, in the deployment's time zone. */
export const pickupWindows = ['09:00-12:00', '12:00-15:00', '15:00-18:00'] as const

export const pickupChoice = z.object({ address: party, date: day, window: z.enum(pickupWindows) })
export type PickupChoice = z.output<typeof pickupChoice>

/** A rider's visit that is already booked. */
export const pickupVisit = z.object({ number: z.string(), date: day, window: z.enum(pickupWindows) })
export type PickupVisit = z.output<typeof pickupVisit>
