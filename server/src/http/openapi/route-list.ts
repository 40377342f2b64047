import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { FastifyInstance } from 'fastify'

export type RegisteredRoute = { method: string; url: string; endpoint: EndpointShape | null }

/** The API's description of itself, which no contract describes. */
const described = /^\/api\/(openapi\.json|docs(\/.*)?)$/

/**
 * Lists every route as it is registered; call it before the first one. A call under `/api/` that is not made from the
 * contract, and so has no access row, stops the start.
 */
export function listRoutes(app: FastifyInstance): readonly RegisteredRoute[] {
  const routes: RegisteredRoute[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    const endpoint = config?.endpoint ?? null
    if (url.startsWith('/api/') && !endpoint && !described.test(url)) {
      throw new Error(`${String(method)} ${url} has no endpoint in the contract: register it with route()`)
    }
    // HEAD comes with every GET.
    for (const each of [method].flat()) if (each !== 'HEAD') routes.push({ method: each, url, endpoint })
  })
  return routes
}
