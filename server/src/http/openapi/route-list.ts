/** The list of all routes. */
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { FastifyInstance } from 'fastify'

export type RegisteredRoute = { method: string; url: string; endpoint: EndpointShape | null }

/** Paths of the API's own documentation, which are not in the contract. */
const described = /^\/api\/(openapi\.json|docs(\/.*)?)$/

/**
 * Lists every route as it is registered; call it before the first one. A path under `/api/` without an endpoint of the
 * contract, and so without an access rule, prevents the start.
 */
export function listRoutes(app: FastifyInstance): readonly RegisteredRoute[] {
  const routes: RegisteredRoute[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    const endpoint = config?.endpoint ?? null
    if (url.startsWith('/api/') && !endpoint && !described.test(url)) {
      throw new Error(`${String(method)} ${url} has no endpoint in the contract: register it with route()`)
    }
    // Fastify adds HEAD to every GET.
    for (const each of [method].flat()) if (each !== 'HEAD') routes.push({ method: each, url, endpoint })
  })
  return routes
}
