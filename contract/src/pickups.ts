import * as z from 'zod/mini'
import { party } from './addresses.ts'
import { endpoint } from './endpoint.ts'
import { taskStatusLabels, valuesOf } from './enums.ts'
import { day, id, instant } from './fields.ts'
import { listQuery, page } from './paging.ts'

export const pickupRequest = z.object({
  id,
  number: z.string(),
  orderId: id,
  status: z.enum(valuesOf(taskStatusLabels)),
  address: party,
  date: day,
  window: z.string(),
  parcelCount: z.number(),
  createdAt: instant,
})
export type PickupRequest = z.output<typeof pickupRequest>

export const listPickupRequests = endpoint({
  id: 'pickups.list',
  method: 'GET',
  path: '/api/customer/pickup-request',
  access: 'customer.view',
  summary: 'Pickups of the account',
  query: z.extend(listQuery(['date', 'createdAt']), { status: z.optional(z.enum(valuesOf(taskStatusLabels))) }),
  response: page(pickupRequest),
})
