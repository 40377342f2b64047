/** Connections to PostgreSQL, the query builder, and transactions. */
import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPool, type RawBuilder, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { PoolWithTurns } from './concurrency/turns.ts'
import type { DB } from './schema.ts'
import { EdgeQuery, lastStatementMark } from './wire/edge-query.ts'
import { type Callback, forgetColumns, PreparedQuery, type WireConnection } from './wire/prepared-query.ts'
import { getTypeParser } from './wire/values.ts'

/** The query builder outside a transaction. */
export type Db = Kysely<DB>
/** The query builder inside a transaction. */
export type Tx = Transaction<DB>
/** For queries that may run in either. */
export type DbOrTx = Db | Tx

export type PoolOptions = {
  /** The maximum number of connections. */
  max: number
  /** Shown in pg_stat_activity. */
  name?: string
  /** Called when an idle connection breaks, for example when the database restarts. The pool replaces it. */
  onError?: (error: Error) => void
  /** How long a connection may take to open. */
  connectMs?: number
  /** A statement without an answer after this time fails, and its connection is replaced. Default: no limit. */
  answerMs?: number
  /** Disables timeLimits, for long-running tools such as backups that work on whole tables. */
  unlimited?: boolean
}

/**
 * Limits for every statement and transaction: a locked row, an endless statement or a forgotten transaction must not
 * use up the shared connections. Longer work lifts them for its transaction (`withoutTimeLimit`); migrations use a
 * separate connection.
 */
const timeLimits = {
  lock_timeout: 10_000,
  statement_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
}

/**
 * Uses one generic plan per prepared statement. By default PostgreSQL plans the first five executions with their
 * values and then chooses, so the plan depends on those values. With a generic plan, a list that is fast in a test is
 * fast for every account (decision 82).
 */
const planOption = '-c plan_cache_mode=force_generic_plan'

/**
 * A pool that prepares every parameterised query once per connection. Values arrive as: int8 -> number (an error beyond
 * 2^53), numeric -> string, date -> 'YYYY-MM-DD', timestamptz -> Date.
 */
export function createPool(url: string, options: PoolOptions): pg.Pool {
  const pool = new PoolWithTurns({
    connectionString: url,
    max: options.max,
    application_name: options.name ?? 'waybill',
    connectionTimeoutMillis: options.connectMs ?? options.answerMs ?? 10_000,
    ...(options.answerMs === undefined ? {} : { query_timeout: options.answerMs }),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(options.unlimited ? {} : timeLimits),
    options: planOption,
    types: { getTypeParser },
    Client: PreparingClient,
  })
  // Without a listener a broken idle connection would end the process. While the pool ends, it does not matter.
  pool.on('error', (error) => {
    if (!pool.ending) options.onError?.(error)
  })
  // The same for a connection in use, from which the pool removes its listener. The running query rejects anyway.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** The query builder on `pool`. It does not need to be closed. */
export function createDb(pool: PostgresPool): Db {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

/**
 * Filters rows that are found by their ids by account, written so that no index on the account is used. With plain
 * `account_id = …`, the planner reads all rows of the account and compares their ids; an account with 100,000 parcels
 * took 4 s.
 */
export const belongsTo = (accountId: string | null, table?: string): RawBuilder<unknown> =>
  sql`${sql.ref(table ? `${table}.account_id` : 'account_id')} is not distinct from ${accountId}::uuid`

/**
 * Values for `in (…)` as literals in the text of a statement, so that the planner can prove that a partial index covers
 * them. Only for values of the code, never for input.
 */
export const literals = (values: readonly string[]): RawBuilder<unknown> =>
  sql.join(values.map((value) => sql.lit(value)))

const serializationFailureCode = '40001'
const deadlockCode = '40P01'

/** True if a prepared statement was not executed because a migration changed the columns of its result. */
function isOutdatedPlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** True if another transaction or a migration was in the way, so that the same transaction may succeed now. */
function isConflict(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return code === serializationFailureCode || code === deadlockCode || isOutdatedPlan(error)
}

/** Error codes of PostgreSQL and the network for a database that is down or cannot write: a retry may succeed soon. */
const unavailableCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'],
  // Shutting down, crashed, starting; connection lost or refused; too many connections.
  ...['57P01', '57P02', '57P03', '08006', '08001', '08003', '53300'],
  // Disk full, out of memory, input/output error, read-only (a standby, or a disk that was remounted).
  ...['53100', '53200', '58030', '25006'],
  // A session that was closed because it was idle in a transaction.
  '25P03',
])

/** Messages of pg for lost connections, which have no code. */
const connectionLostMessage =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/

/** True if the database could not be reached or could not write, whatever the statement was. */
export function isUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && unavailableCodes.has(code)) return true
  return typeof message === 'string' && connectionLostMessage.test(message)
}

/** True if the transaction failed for reasons outside its own work: the database was down, or there was a conflict. */
export function isDatabaseFault(error: unknown): boolean {
  return isUnavailable(error) || isConflict(error)
}

/** Thrown in a transaction if the data read before the lock is outdated once the lock is held. `tx` then retries. */
export class StaleRead extends Error {
  readonly code = serializationFailureCode
}

/**
 * Runs `fn` in a transaction, which commits when it resolves and rolls back when it throws. `fn` must do nothing
 * outside the database, because after a conflict it runs again (`retryOnConflict`). If `db` is a transaction itself, as
 * in the demo, `fn` becomes a part of it.
 */
export async function tx<T>(db: Db, fn: (trx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return fn(db as Tx)
  return retryOnConflict(() => db.transaction().execute(fn))
}

/** Lifts the time limits of this transaction, for background work on whole tables. */
export async function withoutTimeLimit(trx: Tx): Promise<void> {
  await sql`
    select set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx)
}

/** Limits how long this transaction waits for a row that another one has locked. It then fails. */
export async function limitLockWait(trx: Tx, milliseconds: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(milliseconds)}, true)`.execute(trx)
}

/**
 * Runs a whole transaction, and up to three times again while it conflicts with another one (serialization failure,
 * deadlock, `StaleRead`) or with a migration (`isOutdatedPlan`).
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || attempt > 3) throw error
    }
  }
}

/** Statements that stay prepared per connection. Each costs PostgreSQL tens of kilobytes per connection. */
export const statementsPerConnection = 300
const longestNamedText = 20_000
const mostNamedParameters = 200

type QueryConfig = { text?: unknown; values?: unknown; name?: unknown; submit?: unknown }

/**
 * A pg client that names each parameterised query by its text, so that PostgreSQL prepares it once, and that sends
 * `begin` together with the first statement of a transaction and `commit` with the last one (`EdgeQuery`). A statement
 * that a migration has outdated is prepared again (`isOutdatedPlan`).
 */
class PreparingClient extends pg.Client {
  /** Names in use on this connection, least recently used first. */
  readonly #names = new Set<string>()
  #transaction: 'none' | 'begun' | 'open' | 'committed' = 'none'

  // One override replaces pg's nine overloads; arguments and result are passed through unchanged.
  // biome-ignore lint/suspicious/noExplicitAny: the overloads have no common type
  override query(config: any, values?: any, callback?: any): any {
    if (callback === undefined && typeof config === 'string') {
      const answer = this.#control(config)
      if (answer) return Promise.resolve(answer)
    }
    const name = statementName(config, values)
    if (name !== undefined) this.#use(name)
    const commits = typeof config === 'string' && config.startsWith(lastStatementMark)
    if (typeof config === 'string' && (commits || this.#transaction === 'begun'))
      return this.#queryAtEdge({ text: config, values: values ?? [], name }, commits)
    // Objects of other kinds, such as a cursor, send themselves.
    if (config.submit || typeof values === 'function' || (typeof callback === 'function' && name === undefined))
      return super.query(config, values, callback)
    const query = {
      ...(typeof config === 'string' ? { text: config } : config),
      ...(values ? { values } : {}),
      ...(name ? { name } : {}),
    }
    // With pg's own promise, V8 moves every query with its rows to its old objects, where they stay until the next
    // collection of the whole heap (decision 92).
    if (typeof callback === 'function') return this.#send(query, callback)
    return new Promise((resolve, reject) => {
      this.#send(query, (error, result) => (error ? reject(error) : resolve(result)))
    })
  }

  /** Sends a query. If its statement is outdated, it is prepared and sent again, unless that failed a transaction. */
  #send(query: pg.QueryConfig, callback: Callback, isRepeated = false): void {
    const answer: Callback = (error, result) => {
      if (!isOutdatedPlan(error) || query.name === undefined) return callback(error, result)
      prepareAgain(query.name)
      // pg still has the status from before the query.
      if (isRepeated || this.getTransactionStatus() !== 'I') return callback(error, result)
      const name = getStatementName(query.text)
      this.#use(name)
      this.#send({ ...query, name }, callback, true)
    }
    super.query(new PreparedQuery(query, answer))
  }

  /**
   * Delays `begin` until the first statement, and answers a `commit` or `rollback` that has nothing to end. Null: the
   * text must be sent.
   */
  #control(text: string): { command: string; rows: [] } | null {
    const state = this.#transaction
    const ends = text === 'commit' || text === 'rollback'
    if (state === 'committed' && text !== 'commit') throw new Error('the transaction has been committed already')
    if (text !== 'begin' && !ends) return null
    this.#transaction = ends ? 'none' : 'begun'
    const isSent = ends && state !== 'begun' && state !== 'committed'
    return isSent ? null : { command: text.toUpperCase(), rows: [] }
  }

  /** Sends the first or last statement of a transaction. */
  #queryAtEdge(config: pg.QueryConfig, commits: boolean): Promise<pg.QueryResult> {
    const edge = { begin: this.#transaction === 'begun', commit: commits }
    this.#transaction = 'open'
    return new Promise((resolve, reject) => {
      const query = new EdgeQuery(config, edge, (error, result) => {
        if (error) {
          if (isOutdatedPlan(error) && config.name !== undefined) prepareAgain(config.name)
          reject(error)
          return
        }
        if (commits) this.#transaction = 'committed'
        resolve(result)
      })
      super.query(query)
    })
  }

  #use(name: string): void {
    this.#names.delete(name)
    this.#names.add(name)
    if (this.#names.size <= statementsPerConnection) return
    const [oldest] = this.#names
    if (oldest === undefined) return
    this.#names.delete(oldest)
    // Closing a statement needs no extra Sync: the next query sends one.
    const { connection } = this as unknown as { connection: WireConnection }
    connection.close({ type: 'S', name: oldest })
    delete connection.parsedStatements[oldest]
    forgetColumns(connection, oldest)
  }
}

function statementName(config: unknown, values: unknown): string | undefined {
  const query: QueryConfig = typeof config === 'string' ? { text: config, values } : (config as QueryConfig)
  const parameters = query.values ?? values
  if (query.submit || query.name || typeof query.text !== 'string' || !Array.isArray(parameters)) return undefined
  if (parameters.length === 0 || parameters.length > mostNamedParameters || query.text.length > longestNamedText)
    return undefined
  return getStatementName(query.text)
}

const names = new Map<string, string>()
/** Part of every name. Counts the migrations that have outdated statements of this process. */
let generation = 0
const namePrefix = () => `q${generation}.`

/**
 * Gives every statement a new name, so that each connection prepares it again before its next use. The old ones leave
 * the connections as the least recently used.
 */
function prepareAgain(outdatedName: string): void {
  // Other connections may have reported the same migration before.
  if (!outdatedName.startsWith(namePrefix())) return
  generation += 1
  names.clear()
}

function getStatementName(text: string): string {
  const cachedName = names.get(text)
  if (cachedName) return cachedName
  // Queries whose text varies per request would let the cache grow without limit. Hashing some again is cheap.
  if (names.size >= 5_000) names.clear()
  const name = namePrefix() + createHash('sha256').update(text).digest('base64url').slice(0, 16)
  names.set(text, name)
  return name
}
