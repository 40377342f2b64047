// HTTP routes of pickups for customers.
import { pickupList } from '@waybill/contract/parcels/labels'
import {
  bookPickup,
  cancelPickup,
  getPickupRequest,
  listPickupRequests,
  pickupSlots,
  reschedulePickup,
  waitingParcels,
} from '@waybill/contract/pickups/pickups'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { getPickupList, printPickupList } from './pickup-list/service.ts'
import { bookForParcels, getPickup, giveUpPickup, moveToSlot, parcelsToBook, readPickups } from './requests.ts'
import { listSlots } from './windows/slots.ts'

/** The customer's pickups. */
export function pickupRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listPickupRequests, ({ caller, query }) => readPickups(deps, customer(caller), query))
  route(app, deps, waitingParcels, ({ caller }) => parcelsToBook(deps, customer(caller)))
  route(app, deps, pickupSlots, ({ query, caller }) => listSlots(deps, customer(caller).accountId, query))
  route(app, deps, bookPickup, ({ caller, body, idempotency }) =>
    bookForParcels(deps, customer(caller), body, idempotency),
  )
  route(app, deps, getPickupRequest, ({ caller, params }) => getPickup(deps, customer(caller), params.id))
  route(app, deps, reschedulePickup, ({ caller, params, body }) => moveToSlot(deps, customer(caller), params.id, body))
  route(app, deps, cancelPickup, ({ caller, params, body }) =>
    giveUpPickup(deps, customer(caller), params.id, body.version),
  )
  route(app, deps, pickupList, async ({ caller, query, locale, t, reply }) => {
    if (query.format === 'json') {
      reply.type('application/json; charset=utf-8')
      return JSON.stringify(await getPickupList(deps, customer(caller), query))
    }
    reply.header('content-disposition', 'inline; filename="pickup-list.pdf"')
    return printPickupList(deps, customer(caller), query, { locale, t })
  })
}
