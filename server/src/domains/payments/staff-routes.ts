/** Routes of staff about gateway payments. */
import { listGatewayTroubles, reviewGatewayTrouble } from '@waybill/contract/payments/gateway'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { readGatewayTroubles, reviewTrouble } from './gateway/reviews.ts'

/** Messages of the gateway that contradict our books. */
export function staffPaymentRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listGatewayTroubles, async ({ query }) => readGatewayTroubles(deps, query))
  route(app, deps, reviewGatewayTrouble, async ({ caller, params, body }) =>
    reviewTrouble(deps, staff(caller), params.id, body),
  )
}
