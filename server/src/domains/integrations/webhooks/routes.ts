/** Routes of webhooks. */
import * as endpoints from '@waybill/contract/integrations/webhooks'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import {
  addWebhook,
  changeWebhook,
  endWebhook,
  listDeliveries,
  listOwnWebhooks,
  rotateSecret,
  sendAgain,
  sendTest,
} from './service.ts'

/** For the owner of an account. */
export function webhookRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listWebhooks, async ({ caller }) => listOwnWebhooks(deps, customer(caller)))
  route(app, deps, endpoints.createWebhook, async ({ caller, body }) => addWebhook(deps, customer(caller), body))
  route(app, deps, endpoints.updateWebhook, async ({ caller, params, body }) =>
    changeWebhook(deps, customer(caller), params.id, body),
  )
  route(app, deps, endpoints.removeWebhook, async ({ caller, params }) => {
    await endWebhook(deps, customer(caller), params.id)
    return { ok: true } as const
  })
  route(app, deps, endpoints.rotateWebhookSecret, async ({ caller, params }) =>
    rotateSecret(deps, customer(caller), params.id),
  )
  route(app, deps, endpoints.testWebhook, async ({ caller, params }) => sendTest(deps, customer(caller), params.id))
  route(app, deps, endpoints.listWebhookDeliveries, async ({ caller, params, query }) =>
    listDeliveries(deps, customer(caller), params.id, query),
  )
  route(app, deps, endpoints.resendWebhookDelivery, async ({ caller, params }) =>
    sendAgain(deps, customer(caller), params.id, params.deliveryId),
  )
}
