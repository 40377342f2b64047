/** The metrics of this process, in the OpenMetrics format. */
import { Counter, collectDefaultMetrics, Histogram, type OpenMetricsContentType, Registry } from 'prom-client'
import type { FallbackReason } from '../db/replicas/routing.ts'

type MetricsRegistry = Registry<OpenMetricsContentType>

/** 'dropped': left undone, because it had become useless, such as a mail whose code is no longer valid. */
export type JobOutcome = 'succeeded' | 'failed' | 'dropped'

/** The metrics of one process. */
export type Metrics = {
  registry: MetricsRegistry
  /**
   * `route`: the pattern (`/api/x/:id`), never the path: each value is a time series. `seconds`: null for a live
   * stream, which has no response time.
   */
  countRequest(request: { method: string; route: string; status: number; seconds: number | null }): void
  countJob(job: { task: string; outcome: JobOutcome; seconds: number }): void
  /** A read that a replica could have answered. `reason`: why the primary did; null if the replica did. */
  countRead(reason: FallbackReason | null): void
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const jobBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300]

/** Metrics including those of Node itself: processor time, memory, delay of the event loop, garbage collection. */
export function createMetrics(): Metrics {
  const registry: MetricsRegistry = new Registry()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Counter({
    name: 'waybill_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'waybill_http_request_seconds',
    help: 'Time from the request to the end of its answer, without live streams.',
    labelNames: ['method', 'route'],
    buckets: requestBuckets,
    registers,
  })
  const jobs = new Counter({
    name: 'waybill_jobs_total',
    help: 'Attempts of jobs, by task and outcome. A mail is a job of the task mail:send.',
    labelNames: ['task', 'outcome'],
    registers,
  })
  const jobSeconds = new Histogram({
    name: 'waybill_job_seconds',
    help: 'Duration of an attempt of a job.',
    labelNames: ['task'],
    buckets: jobBuckets,
    registers,
  })
  const reads = new Counter({
    name: 'waybill_reads_total',
    help: 'Statements that a replica could answer, by who answered. Only with replicas.',
    labelNames: ['target'],
    registers,
  })
  const fallbacks = new Counter({
    name: 'waybill_replica_fallbacks_total',
    help: 'Those that the primary answered, by the reason.',
    labelNames: ['reason'],
    registers,
  })
  return {
    registry,
    countRequest({ method, route, status, seconds }) {
      requests.inc({ method, route, status })
      if (seconds !== null) requestSeconds.observe({ method, route }, seconds)
    },
    countJob({ task, outcome, seconds }) {
      jobs.inc({ task, outcome })
      jobSeconds.observe({ task }, seconds)
    },
    countRead(reason) {
      reads.inc({ target: reason === null ? 'replica' : 'primary' })
      if (reason !== null) fallbacks.inc({ reason })
    },
  }
}
