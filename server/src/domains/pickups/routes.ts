import { listPickupRequests } from '@waybill/contract/pickups'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { pickupsOf } from './service.ts'

export function pickupRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listPickupRequests, async ({ caller, query }) => pickupsOf(deps, customer(caller).accountId, query))
}
