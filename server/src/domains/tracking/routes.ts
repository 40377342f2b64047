// HTTP routes of tracking and live events.
import { accountEvents } from '@waybill/contract/tracking/account-events'
import { publicTrack, publicTrackGet, publicTrackLive } from '@waybill/contract/tracking/tracking'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { signedIn } from '../../http/caller.ts'
import { streamReader } from '../../http/live.ts'
import { route } from '../../http/route.ts'
import { followEvents, followNumbers } from './live.ts'
import { parseNumberList, track } from './service.ts'

/** Tracking for the public. */
export function publicTrackingRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, publicTrack, async ({ body, t }) => track(deps, body.numbers, t))
  route(app, deps, publicTrackGet, async ({ query, t }) => track(deps, parseNumberList(query.no), t))
  route(app, deps, publicTrackLive, async ({ query, request }) =>
    followNumbers(deps, streamReader(request), parseNumberList(query.no)),
  )
}

/** Live events of the signed-in user, and of a customer's account. */
export function accountEventRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, accountEvents, async ({ caller, request }) =>
    followEvents(deps, streamReader(request), signedIn(caller)),
  )
}
