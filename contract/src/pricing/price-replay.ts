/** How the price of a parcel was computed, and the same computation again. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { day } from '../ground/fields.ts'
import { priceBreakdown, priceLine } from './pricing.ts'

/** `impossible`: an old price without its inputs, or its version of the rate card was deleted. */
export const replayResults = ['same', 'different', 'impossible'] as const

export const priceReplay = z.object({
  /** The stored price as it was paid, with its share of the pickup. */
  price: priceBreakdown,
  /** The days on which that version of the rate card is valid; null: it was deleted. */
  validity: z.nullable(z.object({ from: day, to: z.nullable(day) })),
  result: z.enum(replayResults),
  /** The price from the stored inputs and that version of the rate card; null if it is impossible to compute. */
  replayed: z.nullable(z.object({ lines: z.array(priceLine), totalMinor: z.number() })),
})
export type PriceReplay = z.output<typeof priceReplay>

export const replayParcelPrice = endpoint({
  id: 'staff.parcelPrice',
  method: 'GET',
  path: '/api/staff/parcels/trackno/:no/price',
  access: 'staff.parcels',
  summary: 'How the price of a parcel was computed, and whether the same computation gives the same amounts',
  params: z.object({ no: z.string().check(z.minLength(1), z.maxLength(40)) }),
  response: priceReplay,
})
