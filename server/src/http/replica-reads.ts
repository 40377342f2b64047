/** Streaming replicas in front of the database: which requests may read from them. */
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type { FastifyInstance } from 'fastify'
import { createDb } from '../db/pool.ts'
import { readFromReplicas } from '../db/replicas/read-scope.ts'
import { openReplicas } from '../db/replicas/routing.ts'
import type { Deps } from '../deps.ts'
import type { Metrics } from '../metrics/metrics.ts'

type Options = Pick<Deps, 'config' | 'pool' | 'db' | 'databaseUrl'> & { metrics?: Metrics | undefined }

/**
 * Opens the replicas of the configuration and lets the requests of `app` that only read use them. Without any, the
 * database is as it was. They are closed with the app.
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
  // The hook's callback form: what follows it, the sending of a stream included, runs inside.
  app.addHook('preHandler', (request, _reply, done) => {
    if (isRead(request.routeOptions.config.endpoint)) readFromReplicas(done)
    else done()
  })
  app.addHook('onClose', () => replicas.stop())
  const reads = replicas.route(pool)
  return { db: createDb(reads), pool, reads, replicas }
}

/** A call that changes nothing. If it does write (a note of who looked), that goes to the primary by itself. */
function isRead(endpoint: EndpointShape | undefined): boolean {
  return endpoint?.method === 'GET' || endpoint?.question === true
}
