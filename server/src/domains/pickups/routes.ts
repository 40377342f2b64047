import { listPickupRequests } from '@waybill/contract/pickups'
import { pickupList } from '@waybill/contract/notes'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { waitingList, waitingListPdf } from './pickup-list.ts'
import { pickupsOf } from './service.ts'

export function pickupRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listPickupRequests, async ({ caller, query }) => pickupsOf(deps, customer(caller).accountId, query))
  route(app, deps, pickupList, async ({ caller, query, locale, t, reply }) => {
    if (query.format === 'json') return waitingList(deps, customer(caller), query)
    const file = await waitingListPdf(deps, customer(caller), query, { locale, t })
    reply.type('application/pdf').header('content-disposition', 'inline; filename="pickup-list.pdf"').send(file)
    // The paper has been sent.
    return { groups: [], parcelCount: 0 }
  })
}
