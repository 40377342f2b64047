/** Pending checkouts of an account. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { commaSeparated, id } from '../ground/fields.ts'
import { listQuery, page } from '../ground/paging.ts'
import { order } from './orders.ts'

/** The maximum number of checkouts that one call abandons. */
export const maxPending = 50

const pending = page(order)
const pendingPage = z.pick(listQuery(['createdAt']), { offset: true, limit: true })
const orderSelection = z.object({
  /** Ids of the orders to abandon, comma separated; absent: all of them. */
  ids: z.optional(z.pipe(commaSeparated(maxPending), z.array(id).check(z.minLength(1), z.maxLength(maxPending)))),
})
const abandoned = z.object({ orderIds: z.array(id), parcelIds: z.array(id) })

export const pendingCheckouts = endpoint({
  id: 'checkouts.pending',
  method: 'GET',
  path: '/api/core/stations',
  access: 'customer.view',
  summary: 'Pending checkouts: orders that wait for their payment, newest first (the path is as specified)',
  query: pendingPage,
  response: pending,
})

export const abandonCheckouts = endpoint({
  id: 'checkouts.abandon',
  method: 'DELETE',
  path: '/api/core/stations',
  access: 'pay',
  summary: 'Cancels pending checkouts: their parcels return to the cart. Money that arrives later goes to the wallet',
  query: orderSelection,
  response: abandoned,
})

export const pendingCheckoutsAlias = endpoint({
  id: 'checkouts.pendingAlias',
  method: 'GET',
  path: '/api/customer/checkouts/pending',
  access: 'customer.view',
  summary: 'The same as GET /api/core/stations',
  query: pendingPage,
  response: pending,
})

export const abandonCheckoutsAlias = endpoint({
  id: 'checkouts.abandonAlias',
  method: 'DELETE',
  path: '/api/customer/checkouts/pending',
  access: 'pay',
  summary: 'The same as DELETE /api/core/stations',
  query: orderSelection,
  response: abandoned,
})
