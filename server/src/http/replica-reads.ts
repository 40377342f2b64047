/** Decides which requests may read from streaming replicas. */
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { FastifyInstance } from 'fastify'
import { createDb } from '../db/pool.ts'
import { readFromReplicas } from '../db/replicas/read-scope.ts'
import { openReplicas } from '../db/replicas/routing.ts'
import type { Deps } from '../deps.ts'
import type { Metrics } from '../metrics/metrics.ts'

type Options = Pick<Deps, 'config' | 'pool' | 'db' | 'databaseUrl'> & { metrics?: Metrics | undefined }

/**
 * Opens the configured replicas and lets the read-only requests of `app` use them. Without replicas the database is
 * unchanged. They are closed with the app.
 */
export function startReplicas(
  app: FastifyInstance,
  { config, pool, db, databaseUrl, metrics }: Options,
): Pick<Deps, 'db' | 'pool' | 'reads' | 'replicas'> {
  const { replicaUrls, poolMax } = config.database
  if (replicaUrls.length === 0) return { db, pool, reads: pool, replicas: null }
  const replicas = openReplicas(databaseUrl, replicaUrls, {
    max: poolMax,
    observe: (reason) => metrics?.countRead(reason),
    log: (line) => app.log.warn(line),
  })
  // The hook's callback form: everything that follows it runs inside, including the sending of a stream.
  app.addHook('preHandler', (request, _reply, done) => {
    if (isRead(request.routeOptions.config.endpoint)) readFromReplicas(done)
    else done()
  })
  app.addHook('onClose', () => replicas.stop())
  const reads = replicas.route(pool)
  return { db: createDb(reads), pool, reads, replicas }
}

/**
 * A call that changes nothing. If it does write (such as an access record), that goes to the primary automatically.
 */
function isRead(endpoint: EndpointShape | undefined): boolean {
  return endpoint?.method === 'GET' || endpoint?.question === true
}
