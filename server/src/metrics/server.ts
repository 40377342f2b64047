/** The port for operators: metrics and health checks, apart from the public one. */
import Fastify from 'fastify'
import type { Deps } from '../deps.ts'
import { registerErrors } from '../http/errors.ts'
import { healthRoutes } from '../http/readiness.ts'
import { requestLocale } from '../http/route.ts'
import { watchDeployment } from './deployment.ts'
import type { Metrics } from './metrics.ts'

type OperatorsServer = { address: string; stop(): Promise<void> }

/**
 * Serves `/metrics`, `/healthz` and `/readyz`. A worker has no other port. It has no sign-in: access is limited by the
 * network.
 */
export async function listenForOperators(
  deps: Deps,
  metrics: Metrics,
  at: { host: string; port: number },
): Promise<OperatorsServer> {
  const app = Fastify({ logger: false, forceCloseConnections: true })
  const readDeployment = watchDeployment(deps, metrics)
  registerErrors(app, requestLocale, deps.translations)
  healthRoutes(app, deps)
  app.get('/metrics', async (_request, reply) => {
    await readDeployment()
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
  // A copy: Fastify adds properties, and the configuration is frozen.
  const address = await app.listen({ ...at })
  return { address, stop: () => app.close() }
}
