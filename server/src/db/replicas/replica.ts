/**
 * One streaming replica: its connections, its state, and whether a connection has replayed enough of the write-ahead
 * log.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { createPool } from '../pool.ts'

/**
 * `ok`: it answers reads. `behind`: it has not replayed what the primary had half a second ago. `down`: it does not
 * answer. `unfit`: it answers, but is not a replica of this primary (`problem` says why).
 */
export type ReplicaState = 'ok' | 'behind' | 'down' | 'unfit'

/** How far the primary has written its log, in bytes since its beginning, and on which timeline. */
export type LogPosition = { position: number; timeline: number }

/** What the monitor compares a replica with. */
export type PrimaryState = LogPosition & { systemId: string; now: Date }

/** How long a read waits for its replica to replay the newest commits, before the primary answers. */
const catchUpMs = 50
const catchUpPauseMs = 1
/** A replica that does not answer the monitor within this time is down. */
export const probeLimitMs = 1_000
/** New reads avoid a replica that has kept the monitor waiting this long. */
const suspectMs = 100
/** Statements compare times with now(): a replica's clock must agree with the primary's. */
const clockToleranceMs = 2_000

/** Null after the replica was promoted: from then on it writes its own log. */
const replayedBytes = "case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::int8 end"

/**
 * The timeline of the last restart point lags behind a failover by minutes. Until then the replica is not used, which
 * only costs speed.
 */
const probeStatement = `
  select ${replayedBytes} as position, clock_timestamp() as now,
    (select system_identifier::text from pg_control_system()) as system_id,
    greatest(
      (select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery())
    ) as timeline`

type Probe = { position: number | null; now: Date; system_id: string; timeline: number }

export class Replica {
  /** Host and port, for metrics and log lines. */
  readonly name: string
  state: ReplicaState = 'down'
  /** Why it is not used; for the log. */
  problem = 'not asked yet'
  timeline = 0
  /** How many bytes it had not yet replayed at the last probe. Null while unknown. */
  lagBytes: number | null = null
  readonly #url: string
  readonly #max: number
  readonly #probes: pg.Pool
  #pool: pg.Pool
  #clients = new Set<pg.PoolClient>()
  /**
   * The position that each connection is known to have replayed. It can only grow: a restarted server has new
   * connections.
   */
  readonly #replayed = new WeakMap<pg.PoolClient, number>()
  #probeSince: number | null = null
  /** The position that it has to reach, and when the primary was there. */
  #target: { position: number; at: number } | null = null

  constructor(url: string, max: number) {
    const { host } = new URL(url)
    this.name = host
    this.#url = url
    this.#max = max
    this.#probes = createPool(url, { max: 1, name: 'waybill replica monitor', answerMs: probeLimitMs })
    this.#pool = this.#openPool()
  }

  /** Whether it may answer a read now, without waiting for a connection. */
  get isUsable(): boolean {
    const { idleCount, totalCount } = this.#pool
    if (this.state !== 'ok' || (idleCount === 0 && totalCount >= this.#max)) return false
    return this.#probeSince === null || performance.now() - this.#probeSince < suspectMs
  }

  /** How long the primary has been ahead; 0 if it was not at the last probe. Null while unknown. */
  get lagSeconds(): number | null {
    if (this.lagBytes === null) return null
    return this.#target ? (performance.now() - this.#target.at) / 1000 : 0
  }

  /**
   * Runs a statement once its connection has replayed the log up to `position`. Returns null if that takes too long.
   * The position is read on the connection itself: the server behind an address may have been restarted or replaced.
   */
  async query(position: number, text: string, values: readonly unknown[]): Promise<pg.QueryResult | null> {
    const client = await this.#pool.connect()
    let broken = true
    try {
      const reached = await this.#reach(client, position)
      const result = reached ? await client.query(text, [...values]) : null
      broken = false
      return result
    } finally {
      client.release(broken)
    }
  }

  /** Compares it with the primary. `earlier`: the primary's position at the previous probe. */
  async probe(primary: PrimaryState, earlier: number): Promise<void> {
    const begin = performance.now()
    this.#probeSince = begin
    try {
      const { rows } = await this.#probes.query<Probe>(probeStatement)
      const [probe] = rows as [Probe]
      this.#measureLag(probe, primary)
      this.timeline = probe.timeline
      const unfit = findUnfitness(probe, primary, performance.now() - begin)
      if (unfit) this.#enter('unfit', unfit)
      else if ((probe.position ?? 0) < earlier) this.#enter('behind', `${this.lagBytes} bytes behind`)
      else this.#enter('ok', '')
    } catch (error) {
      this.lagBytes = null
      this.#enter('down', (error as Error).message)
      this.#cutConnections()
    } finally {
      this.#probeSince = null
    }
  }

  async stop(): Promise<void> {
    this.#enter('down', 'stopped')
    // The monitor has stopped: a statement that waits for a silent server would keep the process from exiting.
    this.#cutConnections()
    await Promise.all([this.#pool.end(), this.#probes.end()])
  }

  async #reach(client: pg.PoolClient, position: number): Promise<boolean> {
    const deadline = performance.now() + catchUpMs
    let replayed = this.#replayed.get(client) ?? -1
    while (replayed < position) {
      const remaining = deadline - performance.now()
      if (remaining <= 0) {
        // Other reads do not wait: the monitor notices when it has caught up.
        this.#enter('behind', 'did not catch up with a read')
        return false
      }
      if (replayed >= 0) await delay(catchUpPauseMs)
      const question = {
        name: 'replayed',
        text: `select ${replayedBytes} as position`,
        query_timeout: Math.ceil(remaining),
      }
      const { rows } = await client.query<{ position: number | null }>(question)
      replayed = rows[0]?.position ?? 0
      this.#replayed.set(client, replayed)
    }
    return true
  }

  #enter(state: ReplicaState, problem: string): void {
    this.state = state
    this.problem = problem
  }

  #measureLag({ position }: Probe, primary: PrimaryState): void {
    const replayed = position ?? 0
    this.lagBytes = Math.max(0, primary.position - replayed)
    if (this.#target && replayed < this.#target.position) return
    this.#target = this.lagBytes > 0 ? { position: primary.position, at: performance.now() } : null
  }

  #openPool(): pg.Pool {
    const pool = createPool(this.#url, { max: this.#max, name: 'waybill reads', connectMs: probeLimitMs })
    const clients = new Set<pg.PoolClient>()
    pool.on('connect', (client) => clients.add(client))
    pool.on('remove', (client) => clients.delete(client))
    this.#clients = clients
    return pool
  }

  /** Cuts connections that wait for a silent server, so that the primary can answer their statements. */
  #cutConnections(): void {
    if (this.#clients.size === 0) return
    const [pool, clients] = [this.#pool, this.#clients]
    this.#pool = this.#openPool()
    for (const client of clients) void (client as unknown as pg.Client).end().catch(() => undefined)
    void pool.end().catch(() => undefined)
  }
}

/** Why the server is not a replica of this primary; undefined if it is. `tookMs`: how long its answer took. */
export function findUnfitness(probe: Probe, primary: PrimaryState, tookMs: number): string | undefined {
  if (probe.position === null) return 'it is not a standby'
  if (probe.system_id !== primary.systemId) return 'it is a copy of another database'
  if (probe.timeline !== primary.timeline) return `it is on timeline ${probe.timeline}, not ${primary.timeline}`
  const difference = Math.abs(probe.now.getTime() - primary.now.getTime())
  if (difference > clockToleranceMs + tookMs) return `its clock differs by ${Math.round(difference / 1000)} s`
  return undefined
}
