/**
 * Sends reads to replicas with the same result as on the primary: a replica answers only after it has replayed
 * everything that was committed when the statement arrived (docs/decisions/0079-reads-from-replicas.md).
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { shareCalls } from '../concurrency/shared-call.ts'
import { createPool, isUnavailable } from '../pool.ts'
import { mayReadFromReplicas } from './read-scope.ts'
import { type LogPosition, type PrimaryState, probeLimitMs, Replica } from './replica.ts'

/**
 * Why the primary answered a read: no replica was usable or had a free connection, it was behind, it failed, or the
 * primary's position is unknown.
 */
export type FallbackReason = 'none_usable' | 'behind' | 'failed' | 'position_unknown'

/** Called with where each read was answered; `reason` is null for a replica. */
export type ReadObserver = (reason: FallbackReason | null) => void

/** The part of a pool that readers of rows need. */
export type ReadPool = {
  query<R extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<{ rows: R[] }>
}

export type Replicas = {
  /** For metrics and health checks. */
  all: readonly Pick<Replica, 'name' | 'state' | 'lagBytes' | 'lagSeconds'>[]
  /**
   * Wraps `pool` for the query builder: read-only statements within `readFromReplicas` may be answered by a replica.
   */
  route(pool: pg.Pool): PostgresPool & ReadPool
  stop(): Promise<void>
}

const probeEveryMs = 500

// Everything acknowledged or shown has been flushed, because commits are synchronous.
const positionStatement = `
  select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::int8 as position,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline`

const primaryStateStatement = `
  select p.*, clock_timestamp() as now,
    (select system_identifier::text from pg_control_system()) as "systemId"
  from (${positionStatement}) p`

/**
 * Replica errors that the primary would not have: replay conflicted with the query, or the table is not replicated.
 */
const replicaErrors = new Set(['40001', '40P01', '55P03', '0A000'])

/**
 * Opens the replicas and monitors them. Never throws: an unreachable replica may come back, and the primary answers
 * reads meanwhile.
 */
export function openReplicas(
  primaryUrl: string,
  urls: readonly string[],
  options: { max: number; observe: ReadObserver; log: (line: string) => void },
): Replicas {
  const { max, observe, log } = options
  const replicas = urls.map((url) => new Replica(url, max))
  // A separate connection: reads must not wait for one while writes use the whole pool.
  const positions = createPool(primaryUrl, { max: 2, name: 'waybill log position', answerMs: probeLimitMs })
  const readPosition = shareCalls(async () => {
    const { rows } = await positions.query<LogPosition>({ name: 'position', text: positionStatement })
    return rows[0] as LogPosition
  })
  const stopping = new AbortController()
  const watching = watch(replicas, positions, log, stopping.signal)
  let turn = 0

  /** Null: the primary answers. */
  const queryReplica = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult | null> => {
    if (!replicas.some((replica) => replica.isUsable)) return fallBack('none_usable')
    // Read after the statement arrived, so it covers every commit that the caller can know of.
    const primary = await readPosition().catch(() => null)
    if (!primary) return fallBack('position_unknown')
    const usable = replicas.filter((replica) => replica.isUsable && replica.timeline === primary.timeline)
    const replica = usable[turn++ % usable.length]
    if (!replica) return fallBack('none_usable')
    try {
      const result = await replica.query(primary.position, text, values)
      if (!result) return fallBack('behind')
      observe(null)
      return result
    } catch (error) {
      if (!isReplicaFault(error)) throw error
      return fallBack('failed')
    }
  }

  const fallBack = (reason: FallbackReason): null => {
    observe(reason)
    return null
  }

  return {
    all: replicas,
    route: (pool) => ({
      options: pool.options,
      connect: async () => routedClient(pool, queryReplica),
      end: () => pool.end(),
      query: async (text, values) =>
        ((isRoutable(text) && (await queryReplica(text, values))) || (await pool.query(text, [...values]))) as never,
    }),
    async stop() {
      stopping.abort()
      await watching
      await Promise.all([...replicas.map((replica) => replica.stop()), positions.end()])
    },
  }
}

/**
 * Probes every replica twice a second and logs each change. Without the primary's state there is nothing to compare
 * with.
 */
async function watch(
  replicas: readonly Replica[],
  positions: pg.Pool,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let earlier = 0
  while (!signal.aborted) {
    const primary = await positions.query<PrimaryState>(primaryStateStatement).then(
      ({ rows }) => rows[0],
      () => undefined,
    )
    if (primary) {
      await Promise.all(
        replicas.map(async (replica) => {
          const { state } = replica
          await replica.probe(primary, earlier)
          if (replica.state !== state) log(describe(replica))
        }),
      )
      earlier = primary.position
    }
    await delay(probeEveryMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

function describe({ name, state, problem }: Replica): string {
  return state === 'ok'
    ? `replica ${name}: reads go there`
    : `replica ${name}: ${state} (${problem}); the primary answers its reads`
}

/** A replica would refuse a write, and a transaction may write later. */
function isRoutable(text: string): boolean {
  return mayReadFromReplicas() && /^\s*(select|with)\b/i.test(text)
}

function isReplicaFault(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return isUnavailable(error) || replicaErrors.has(String(code)) || message === 'Query read timeout'
}

type QueryReplica = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult | null>

/**
 * A connection for the query builder that takes one from the primary's pool only if needed. It keeps that until it is
 * released, so a transaction stays on one connection.
 */
function routedClient(pool: pg.Pool, queryReplica: QueryReplica): PostgresPoolClient {
  let primary: pg.PoolClient | undefined
  const query = async (text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> => {
    const result = !primary && isRoutable(text) ? await queryReplica(text, values) : null
    if (result) return result
    primary ??= await pool.connect()
    return primary.query(text, values as unknown[])
  }
  return {
    // The cursor variant is not used.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => primary?.release(destroy),
  }
}
