// HTTP routes of tracking and live events.
import { accountEvents, staffEvents } from '@waybill/contract/tracking/account-events'
import { trackingPlaces } from '@waybill/contract/tracking/places'
import { publicTrack, publicTrackGet, publicTrackLive } from '@waybill/contract/tracking/tracking'
import { readUnlocked, unlockTracking } from '@waybill/contract/tracking/unlock'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer, staff } from '../../http/caller.ts'
import { streamReader } from '../../http/live.ts'
import { route } from '../../http/route.ts'
import { followAccount, followNumbers, followStaff } from './live.ts'
import { listPlaces } from './places.ts'
import { parseNumberList, track } from './service.ts'
import { readUnlockedDelivery, unlockDelivery } from './unlock.ts'

/** Tracking for the public. */
export function publicTrackingRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, publicTrack, async ({ body, t }) => track(deps, body.numbers, t))
  route(app, deps, publicTrackGet, async ({ query, t }) => track(deps, parseNumberList(query.no), t))
  route(app, deps, publicTrackLive, async ({ query, request }) =>
    followNumbers(deps, streamReader(request), parseNumberList(query.no)),
  )
  route(app, deps, trackingPlaces, ({ query }) => listPlaces(deps, query.no))
  route(app, deps, unlockTracking, ({ body }) => unlockDelivery(deps, body))
  route(app, deps, readUnlocked, ({ body }) => readUnlockedDelivery(deps, body.token))
}

/** Live events of the signed-in customer's account. */
export function accountEventRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, accountEvents, async ({ caller, request }) =>
    followAccount(deps, streamReader(request), customer(caller)),
  )
}

/** Live events of staff. */
export function staffEventRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, staffEvents, async ({ caller, request }) => followStaff(deps, streamReader(request), staff(caller)))
}
