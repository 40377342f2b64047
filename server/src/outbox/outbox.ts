/**
 * The transactional outbox. A domain writes an event in the transaction of the change. After the commit any process
 * dispatches it to the subscribers of higher domains.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import type { FastifyBaseLogger } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type DbOrTx, isDatabaseFault, type Tx, tx } from '../db/pool.ts'
import { maskAddresses } from '../lib/text/log-fields.ts'

/** Topics with their payloads. Ids and statuses only: a subscriber reads the rest, so it never acts on old data. */
export type OutboxEvents = {
  'parcel.moved': {
    accountId: string
    parcelId: string
    createdBy: string
    trackingNumber: string | null
    event: string
    /** Null for a new parcel; `status` for an entry without a change. Absent in events of an older release. */
    fromStatus?: ParcelStatus | null
    status: ParcelStatus
    leg: string
    trackingStatus: string
    /** The last day of collection after the event, `YYYY-MM-DD`. */
    collectUntil: string | null
  }
  /** A lost parcel was found, and the scan can no longer be undone. */
  'parcel.found': { parcelId: string; createdBy: string; trackingNumber: string | null }
  /** A parcel from a spreadsheet was deleted. */
  'parcel.deleted': { accountId: string; parcelId: string; batchId: string }
  'payment.settled': {
    accountId: string
    paymentId: string
    purpose: string
    /** Null: a top-up, or several orders at once, which are in `orderIds`. */
    orderId: string | null
    orderIds?: string[]
    status: string
  }
  /** An unpaid order was cancelled: payments in progress have nothing left to pay. */
  'order.cancelled': { accountId: string; orderId: string }
  /** A parcel was edited, moved out of the cart or deleted while its order was unpaid. */
  'checkout.parcel_left': { accountId: string; orderId: string }
  'wallet.moved': { accountId: string }
  /** A user of a company was removed, suspended or blocked, or has fewer rights. */
  'company.member_limited': { accountId: string; userId: string; wasApprover: boolean }
  /** A company was handed over to another owner. */
  'company.owner_changed': { accountId: string; formerOwnerId: string; ownerId: string }
  /** A rider or a counter collected cash on delivery. */
  'cod.collected': {
    accountId: string
    parcelId: string
    amountMinor: number
    currency: string
    actorId: string
    stationId: string | null
  }
}
export type OutboxTopic = keyof OutboxEvents

/** The code that handles the events of one topic. Payloads come in batches, in the order in which they were written. */
export type Subscription = {
  topic: OutboxTopic
  handle(trx: DbOrTx, payloads: readonly unknown[]): Promise<void>
}

export type Outbox = {
  /** Writes events in the transaction of the change. */
  emit<T extends OutboxTopic>(trx: DbOrTx, topic: T, ...payloads: OutboxEvents[T][]): Promise<void>
  /** Dispatches soon, without waiting for the next poll. Call it after a commit that may have written events. */
  kick(): void
}

export type Dispatcher = Outbox & {
  start(log: FastifyBaseLogger, subscriptions: readonly Subscription[]): void
  /** Dispatches everything that is due; for tests. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/**
 * SQL of a CTE that writes one event for each row of `source`, in the statement of the change. `payload` is
 * `OutboxEvents[topic]` as jsonb, in terms of the columns of `source`.
 */
export function insertEvents(
  topic: OutboxTopic,
  payload: RawBuilder<unknown>,
  source: RawBuilder<unknown>,
  at: RawBuilder<unknown> = sql`now()`,
): RawBuilder<unknown> {
  return sql`
    insert into outbox (topic, payload, created_at)
    select ${sql.lit(topic)}, ${payload}, ${at}
    from ${source}`
}

const batchSize = 200
const pollMs = 500
/** The pause between two runs of a busy process, so that events written meanwhile share a batch. */
const pauseMs = 20

/** After this many attempts, over about four minutes, an event is parked in `outbox_failed` for staff. */
const maxAttempts = 8
/** The longest wait for a locked row, because the rest of the batch waits too. */
const lockTimeout = '1s'

type Row = { id: number; topic: string; payload: unknown; created_at: Date; attempts: number }

/**
 * Every process dispatches. SKIP LOCKED gives each event to one of them, at least once; a batch keeps the order within
 * a topic. A process takes only topics that it has subscribers for, so events of a newer release wait for that
 * release. If a subscriber throws, the batch is halved until the failing event is alone. Only that one is retried
 * later.
 */
export function createOutbox(db: Db): Dispatcher {
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  let timer: NodeJS.Timeout | null = null
  let started: { log: FastifyBaseLogger; subscriptions: readonly Subscription[] } | null = null

  const dispatchBatch = async (): Promise<number> => {
    if (!started) return 0
    const { log, subscriptions } = started
    try {
      return await tx(db, async (trx) => {
        const rows = await take(trx, subscriptions)
        for (const [topic, topicRows] of byTopic(rows)) await handle(subscriptions, trx, topic, topicRows)
        return rows.length
      })
    } catch (error) {
      if (isDatabaseFault(error)) throw error
      return await dispatchInHalves(log, subscriptions)
    }
  }

  /** Each half gets its own savepoint, so that a failing event affects no other. */
  const dispatchInHalves = (log: FastifyBaseLogger, subscriptions: readonly Subscription[]): Promise<number> =>
    tx(db, async (trx) => {
      const rows = await take(trx, subscriptions)
      const handleOrHalve = async (topic: OutboxTopic, part: readonly Row[]): Promise<void> => {
        const error = await attempt(trx, () => handle(subscriptions, trx, topic, part))
        if (error === null) return
        const [first] = part
        if (first && part.length === 1) return retryLater(log, trx, first, error)
        const middle = Math.ceil(part.length / 2)
        await handleOrHalve(topic, part.slice(0, middle))
        await handleOrHalve(topic, part.slice(middle))
      }
      for (const [topic, topicRows] of byTopic(rows)) await handleOrHalve(topic, topicRows)
      return rows.length
    })

  const run = async () => {
    do {
      again = false
      while ((await dispatchBatch()) === batchSize);
      if (again && !stopped) await delay(pauseMs)
    } while (again && !stopped)
  }

  const kick = () => {
    if (stopped || !started) return
    if (running) {
      again = true
      return
    }
    running = run()
      .catch((error) => started?.log.error({ err: error }, 'outbox: dispatching failed; will be retried'))
      .finally(() => {
        running = null
      })
  }

  return {
    async emit(trx, topic, ...payloads) {
      if (payloads.length === 0) return
      await trx
        .insertInto('outbox')
        .values(payloads.map((payload) => ({ topic, payload: JSON.stringify(payload) })))
        .execute()
    },
    kick,
    start(log, subscriptions) {
      started = { log, subscriptions }
      timer = setInterval(kick, pollMs)
      timer.unref()
      kick()
    },
    async drain() {
      // A concurrent poll locks events, which this run skips, so it must finish too.
      do {
        await running
        await run()
      } while (running)
    },
    async stop() {
      stopped = true
      if (timer) clearInterval(timer)
      await running
    },
  }
}

/** Deletes the next rows and returns them. A rollback brings them back. */
async function take(trx: Tx, subscriptions: readonly Subscription[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with waiting as (
      select id
      from outbox
      where topic = any(${subscriptions.map(({ topic }) => topic)}::text[]) and (try_at is null or try_at <= now())
      order by id
      limit ${batchSize}::int
      for update skip locked
    ), taken as (
      delete from outbox
      where id in (select id from waiting)
      returning id, topic, payload, created_at, attempts
    )
    select taken.*, (select set_config('lock_timeout', ${lockTimeout}::text, true)) as waits
    from taken`.execute(trx)
  return rows.sort((a, b) => a.id - b.id)
}

function byTopic(rows: readonly Row[]): Map<OutboxTopic, Row[]> {
  return Map.groupBy(rows, (row) => row.topic as OutboxTopic)
}

async function handle(
  subscriptions: readonly Subscription[],
  trx: Tx,
  topic: OutboxTopic,
  rows: readonly Row[],
): Promise<void> {
  const payloads = rows.map((row) => row.payload)
  for (const subscription of subscriptions) if (subscription.topic === topic) await subscription.handle(trx, payloads)
}

/** Runs `work` in a savepoint. Returns its error, or null. Throws only when the database itself fails. */
async function attempt(trx: Tx, work: () => Promise<void>): Promise<Error | null> {
  await sql`savepoint dispatch`.execute(trx)
  try {
    await work()
    await sql`release savepoint dispatch`.execute(trx)
    return null
  } catch (error) {
    if (isDatabaseFault(error)) throw error
    await sql`rollback to savepoint dispatch`.execute(trx)
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Puts a failed event back with a later time, or parks it after its last attempt. */
async function retryLater(log: FastifyBaseLogger, trx: Tx, row: Row, error: Error): Promise<void> {
  const attempts = row.attempts + 1
  const event = { outboxId: row.id, topic: row.topic, attempts }
  if (attempts < maxAttempts) {
    log.warn({ err: error, ...event }, 'outbox: an event failed and will be retried')
    await sql`
      insert into outbox (id, topic, payload, created_at, attempts, try_at) overriding system value
      values (
        ${row.id}::bigint, ${row.topic}, ${JSON.stringify(row.payload)}::jsonb, ${row.created_at}, ${attempts}::int,
        now() + ${2 ** attempts}::int * interval '1 second'
      )`.execute(trx)
    return
  }
  log.error({ err: error, ...event }, 'outbox: an event failed for good and is parked')
  await sql`
    insert into outbox_failed (id, topic, payload, created_at, attempts, last_error)
    values (
      ${row.id}::bigint, ${row.topic}, ${JSON.stringify(row.payload)}::jsonb, ${row.created_at}, ${attempts}::int,
      left(${maskAddresses(error.message)}, 2000)
    )`.execute(trx)
}
