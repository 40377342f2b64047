/** Routes of ownership transfers. */
import * as endpoints from '@waybill/contract/accounts/ownership'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { requestDevice } from '../devices/request-device.ts'
import { acceptOffer, declineOffer, makeOffer, readOffer, withdrawOffer } from './service.ts'

const ok = { ok: true } as const

/** Routes for the owner, and for the member to whom the company is offered. */
export function ownershipRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.getOwnershipOffer, async ({ caller }) => readOffer(deps, customer(caller)))
  route(app, deps, endpoints.offerOwnership, async ({ caller, body, request }) =>
    makeOffer(deps, customer(caller), body, requestDevice(request)),
  )
  route(app, deps, endpoints.withdrawOwnership, async ({ caller, params }) => {
    await withdrawOffer(deps, customer(caller), params.id)
    return ok
  })
  route(app, deps, endpoints.acceptOwnership, async ({ caller, params }) => {
    await acceptOffer(deps, customer(caller), params.id)
    return ok
  })
  route(app, deps, endpoints.declineOwnership, async ({ caller, params }) => {
    await declineOffer(deps, customer(caller), params.id)
    return ok
  })
}
