/** Streaming replicas in front of the database: which requests may read from them. */
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { readFromReplicas } from '../db/replicas/read-scope.ts'
import { openReplicas, type Replicas } from '../db/replicas/routing.ts'
import type { Metrics } from '../metrics/metrics.ts'

/**
 * Opens the replicas of the configuration and lets the requests of `app` that only read use them. Null if there are
 * none. They are closed with the app.
 */
export function startReplicas(
  app: FastifyInstance,
  { config, databaseUrl, metrics }: { config: Config; databaseUrl: string; metrics?: Metrics | undefined },
): Replicas | null {
  const { replicaUrls, poolMax } = config.database
  if (replicaUrls.length === 0) return null
  const replicas = openReplicas(databaseUrl, replicaUrls, {
    max: poolMax,
    observe: (reason) => metrics?.countRead(reason),
    log: (line) => app.log.warn(line),
  })
  // The hook's callback form: what follows it, the sending of a stream included, runs inside.
  app.addHook('preHandler', (request, _reply, done) => {
    if (isRead(request.routeOptions.config.endpoint)) readFromReplicas(done)
    else done()
  })
  app.addHook('onClose', () => replicas.stop())
  return replicas
}

/** A call that changes nothing. If it does write (a note of who looked), that goes to the primary by itself. */
function isRead(endpoint: EndpointShape | undefined): boolean {
  return endpoint?.method === 'GET' || endpoint?.question === true
}
