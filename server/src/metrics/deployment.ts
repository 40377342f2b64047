/** Metrics of the whole deployment, read from the database when somebody collects them. */
import { Gauge } from 'prom-client'
import { readInstalledAt } from '../db/migrate.ts'
import type { Replicas } from '../db/replicas/routing.ts'
import type { Deps } from '../deps.ts'
import { readOutbox, readQueue } from '../domains/failed-work/queries.ts'
import { countTroubles, readPendingPayments } from '../domains/payments/gateway/queries.ts'
import { trialBalances } from '../domains/wallet/ledger/queries-books.ts'
import type { Metrics } from './metrics.ts'

/** Registers the gauges. Returns the function that reads their values, to be called before each collection. */
export function watchDeployment(deps: Deps, { registry }: Metrics): () => Promise<void> {
  const registers = [registry]
  const gauge = (name: string, help: string) => new Gauge({ name: `waybill_${name}`, help, registers })
  const byTask = (name: string, help: string) =>
    new Gauge({ name: `waybill_${name}`, help, labelNames: ['task'], registers })

  const pool = new Gauge({
    name: 'waybill_pool_connections',
    help: 'Connections of this process to PostgreSQL, and requests that wait for one.',
    labelNames: ['state'],
    registers,
  })
  const up = gauge('database_up', '1 if PostgreSQL answered this collection; without it the values below are missing.')
  const queue = byTask('queue_jobs', 'Jobs that are due or running.')
  const queueAge = byTask('queue_oldest_seconds', 'Age of the oldest job that is due.')
  const failedJobs = byTask('queue_failed_jobs', 'Jobs that failed for good and wait for staff.')
  const outbox = gauge('outbox_events', 'Events that are not handed out yet.')
  const outboxAge = gauge('outbox_oldest_seconds', 'Age of the oldest of them.')
  const parked = gauge('outbox_parked_events', 'Events that failed for good and wait for staff.')
  const pending = gauge('gateway_pending_payments', 'Payments whose outcome the gateway has not reported.')
  const pendingAge = gauge('gateway_oldest_pending_seconds', 'Age of the oldest of them.')
  const reviews = gauge('gateway_open_reviews', 'Messages of the gateway that staff must look at.')
  const problems = gauge('ledger_problems', 'What did not hold in the last nightly proof of the books.')
  const proofAge = gauge(
    'ledger_proof_age_seconds',
    'Time since the last proof of the books, before it since the installation.',
  )
  const showReplicas = deps.replicas ? watchReplicas(deps.replicas, registers) : () => undefined
  // A task without jobs, or a database that is down, must not keep showing its last value.
  const forget = () => {
    for (const metric of [queue, queueAge, failedJobs]) metric.reset()
    for (const metric of [outbox, outboxAge, parked, pending, pendingAge, reviews, problems, proofAge]) metric.remove()
  }

  const readDatabase = async () => {
    const [jobs, events, payments, openReviews, [proof]] = await Promise.all([
      readQueue(deps.db),
      readOutbox(deps.db),
      readPendingPayments(deps.db),
      countTroubles(deps.db, { tab: 'open', search: null }),
      trialBalances(deps.db, 1),
    ])
    for (const { task, waiting, failed, oldest_seconds } of jobs) {
      queue.set({ task }, waiting)
      queueAge.set({ task }, oldest_seconds)
      failedJobs.set({ task }, failed)
    }
    outbox.set(events.waiting)
    outboxAge.set(events.oldest_seconds)
    parked.set(events.parked)
    pending.set(payments.pending)
    pendingAge.set(payments.oldest_seconds)
    reviews.set(openReviews)
    if (proof) problems.set(proof.problems.length)
    // Without a proof the age must grow too: workers that never ran have never proven anything.
    const since = proof?.checked_at ?? (await readInstalledAt(deps.db))
    if (since) proofAge.set((deps.clock.now().getTime() - since.getTime()) / 1000)
  }

  return async () => {
    pool.set({ state: 'open' }, deps.pool.totalCount)
    pool.set({ state: 'idle' }, deps.pool.idleCount)
    pool.set({ state: 'waiting' }, deps.pool.waitingCount)
    showReplicas()
    forget()
    try {
      await readDatabase()
      up.set(1)
    } catch (error) {
      deps.log.warn({ err: error }, 'metrics: the database could not be read')
      up.set(0)
    }
  }
}

/** Registers the gauges of the replicas, as this process sees them. Returns the function that sets them. */
function watchReplicas({ all }: Replicas, registers: Metrics['registry'][]): () => void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `waybill_replica_${name}`, help, labelNames: ['replica'], registers })
  const up = gauge('up', '1 if this process sends reads to the replica.')
  const lagBytes = gauge('lag_bytes', 'Bytes of the log that the replica has not replayed. Missing while it is down.')
  const lagSeconds = gauge('lag_seconds', 'For how long the replica has lacked them. Missing while it is down.')
  return () => {
    for (const { name: replica, state, lagBytes: bytes, lagSeconds: seconds } of all) {
      up.set({ replica }, state === 'ok' ? 1 : 0)
      if (bytes === null) lagBytes.remove({ replica })
      else lagBytes.set({ replica }, bytes)
      if (seconds === null) lagSeconds.remove({ replica })
      else lagSeconds.set({ replica }, seconds)
    }
  }
}
