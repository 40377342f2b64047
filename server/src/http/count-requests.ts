/** Counts completed requests for the metrics. */
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../metrics/metrics.ts'
import { eventStreamType } from './live.ts'

/** Counts every request of `app`. A live stream is counted when it ends, and its duration is not a response time. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const isStream = routeOptions.config.endpoint?.media === eventStreamType
    metrics.countRequest({
      method,
      route: routeOptions.url ?? 'none',
      status: reply.statusCode,
      seconds: isStream ? null : reply.elapsedTime / 1000,
    })
  })
}
