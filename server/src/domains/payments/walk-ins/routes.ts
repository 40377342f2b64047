/** Routes of walk-ins. */
import { bookWalkIn } from '@waybill/contract/payments/walk-ins'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { bookForWalkIn } from './service.ts'

/** Routes for a clerk at a counter. */
export function walkInRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, bookWalkIn, async ({ caller, body, idempotency }) =>
    bookForWalkIn(deps, staff(caller), body, idempotency),
  )
}
