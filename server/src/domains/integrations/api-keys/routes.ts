/** Routes of API keys. */
import { createApiKey, listApiKeys, revokeApiKey } from '@waybill/contract/integrations/api-keys'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { createKey, listKeys, revokeKey } from './service.ts'

/** Routes for the owner of an account. A key cannot call these: it could give itself more rights. */
export function apiKeyRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listApiKeys, async ({ caller }) => listKeys(deps, customer(caller)))
  route(
    app,
    deps,
    createApiKey,
    async ({ caller, body, idempotency }) => createKey(deps, customer(caller), body, idempotency),
    { provenByWrite: true },
  )
  route(app, deps, revokeApiKey, async ({ caller, params }) => {
    await revokeKey(deps, customer(caller), params.id)
    return { ok: true } as const
  })
}
