/** Routes of push messages, for customers and staff. */
import * as endpoints from '@waybill/contract/notifications/push'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { signedIn } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { readPush, subscribe, unsubscribe } from './service.ts'

/** Every user manages their own browsers. */
export function pushRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.getPush, async ({ caller }) => readPush(deps, signedIn(caller)))
  route(app, deps, endpoints.subscribePush, async ({ caller, body, request }) =>
    subscribe(deps, signedIn(caller), body, request.headers['user-agent']),
  )
  route(app, deps, endpoints.unsubscribePush, async ({ caller, params }) => {
    await unsubscribe(deps, signedIn(caller), params.id)
    return { ok: true } as const
  })
}
