// HTTP routes of bags.
import * as endpoints from '@waybill/contract/parcels/transport/bags'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { sendPrinted } from '../labels/printed-reply.ts'
import { receiveStrayBag } from './arrive.ts'
import { breakSeal, closeBag, openNewBag, putIntoBag, takeOutOfBag, unpackBag } from './fill.ts'
import { printBagLabel } from './papers.ts'
import { readBagByCode, readBags } from './service.ts'

/** The courier's own bags. */
export function bagRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listBags, ({ query }) => readBags(deps, query))
  route(app, deps, endpoints.createBag, ({ body, caller, idempotency }) =>
    openNewBag(deps, staff(caller), body, idempotency),
  )
  route(app, deps, endpoints.bagByNumber, ({ params }) => readBagByCode(deps, params.no))
  route(app, deps, endpoints.fillBag, ({ params, body, caller }) =>
    putIntoBag(deps, staff(caller), params.id, body.trackingNumber),
  )
  route(app, deps, endpoints.takeFromBag, ({ params, caller }) =>
    takeOutOfBag(deps, staff(caller), params.id, params.parcelId),
  )
  route(app, deps, endpoints.sealBag, ({ params, body, caller }) => closeBag(deps, staff(caller), params.id, body))
  route(app, deps, endpoints.openBag, ({ params, body, caller }) =>
    breakSeal(deps, staff(caller), params.id, body.version),
  )
  route(app, deps, endpoints.emptyBag, ({ params, body, caller }) =>
    unpackBag(deps, staff(caller), params.id, body.version),
  )
  route(app, deps, endpoints.receiveBag, ({ params, body, caller, idempotency }) =>
    receiveStrayBag(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, endpoints.bagLabel, async ({ params, query, locale, t, reply }) =>
    sendPrinted(reply, await printBagLabel(deps, params.id, query.format, { locale, t })),
  )
}
