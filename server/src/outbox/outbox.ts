import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type DbOrTx, isDatabaseFault, type Tx, tx } from '../db/pool.ts'
import type { Deps } from '../deps.ts'

/** What lower domains tell higher ones. Ids and states only: readers look up what they need. */
export type OutboxEvents = {
  'parcel.moved': {
    accountId: string
    parcelId: string
    createdBy: string
    trackingNumber: string | null
    event: string
    status: string
    trackingStatus: string
  }
  'payment.settled': { accountId: string; paymentId: string; orderId: string | null; status: string }
  /** An order that waited for its payment was cancelled: payments under way have nothing left to pay. */
  'order.cancelled': { accountId: string; orderId: string }
  /** A parcel was changed, taken out of the cart or removed while an order waited for its payment. */
  'checkout.parcel_left': { accountId: string; orderId: string }
  'wallet.moved': { accountId: string }
  /** A rider or a counter took the recipient's money for a parcel. */
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
/**
 * Gets the events of its topic in the order in which they were written, a batch at a time: what many of them need is
 * asked and told in one statement.
 */
export type OutboxHandler<T extends OutboxTopic> = (
  deps: Deps,
  trx: DbOrTx,
  payloads: readonly OutboxEvents[T][],
) => Promise<void>
export type Subscriptions = { [T in OutboxTopic]?: OutboxHandler<T>[] }

export type Outbox = {
  /** Writes the event in the transaction that makes it true. */
  emit<T extends OutboxTopic>(trx: DbOrTx, topic: T, ...payloads: OutboxEvents[T][]): Promise<void>
  /** Something may have been written: hand it out soon, without waiting for the next look. */
  kick(): void
}

export type Dispatcher = Outbox & {
  start(deps: Deps, subscriptions: Subscriptions): void
  /** Hands out everything that is there; tests call it to know that it is done. */
  drain(): Promise<void>
  stop(): Promise<void>
}

/**
 * SQL of a CTE that writes one event for each row of `source`, in the statement that makes the event true. `payload`
 * is `OutboxEvents[topic]` as jsonb, in terms of the columns of `source`.
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
const lookEveryMs = 500
/** Between two batches of a busy process: what is written meanwhile goes out together. */
const pauseMs = 20

/** Tries of one event before it is set aside for staff; the pauses between them add up to about four minutes. */
const mostAttempts = 8
/** An event waits at most so long for a row that somebody has locked: others wait behind it. */
const lockTimeout = '1s'

type Row = { id: number; topic: string; payload: unknown; created_at: Date; attempts: number }

/**
 * Every process hands out: rows are taken with SKIP LOCKED, so each goes to one. At least once, in the order of each
 * topic within a batch.
 * A process takes the topics that it has handlers for: what a newer release writes waits for that one.
 * An event whose handler throws is found by halving the batch; it is tried again later, and the others are not held up.
 */
export function createOutbox(db: Db): Dispatcher {
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  let timer: NodeJS.Timeout | null = null
  let started: { deps: Deps; subscriptions: Subscriptions } | null = null

  /** The batch as a whole, which is how nearly all of them go. */
  const batch = async (): Promise<number> => {
    if (!started) return 0
    const { deps, subscriptions } = started
    try {
      return await tx(db, async (trx) => {
        const rows = await take(trx, subscriptions)
        for (const [topic, ofTopic] of byTopic(rows)) await handle(deps, subscriptions, trx, topic, ofTopic)
        return rows.length
      })
    } catch (error) {
      if (isDatabaseFault(error)) throw error
      return await apart(deps, subscriptions)
    }
  }

  /** The batch with each half in a savepoint of its own, down to the events that fail. */
  const apart = (deps: Deps, subscriptions: Subscriptions): Promise<number> =>
    tx(db, async (trx) => {
      const rows = await take(trx, subscriptions)
      const halves = async (topic: OutboxTopic, some: readonly Row[]): Promise<void> => {
        const error = await attempt(trx, () => handle(deps, subscriptions, trx, topic, some))
        if (error === null) return
        const [only, ...others] = some
        if (only && others.length === 0) return putBack(deps, trx, only, error)
        const middle = Math.ceil(some.length / 2)
        await halves(topic, some.slice(0, middle))
        await halves(topic, some.slice(middle))
      }
      for (const [topic, ofTopic] of byTopic(rows)) await halves(topic, ofTopic)
      return rows.length
    })

  const run = async () => {
    do {
      again = false
      while ((await batch()) === batchSize);
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
      .catch((error) => started?.deps.log.error({ err: error }, 'outbox: handing out failed; tried again'))
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
    start(deps, subscriptions) {
      started = { deps, subscriptions }
      timer = setInterval(kick, lookEveryMs)
      timer.unref()
      kick()
    },
    async drain() {
      await running
      await run()
    },
    async stop() {
      stopped = true
      if (timer) clearInterval(timer)
      await running
    },
  }
}

/** Takes the next rows off the table. They are there again when the transaction is rolled back. */
async function take(trx: Tx, subscriptions: Subscriptions): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with waiting as (
      select id from outbox
      where topic = any(${Object.keys(subscriptions)}::text[]) and (try_at is null or try_at <= now())
      order by id limit ${batchSize}::int for update skip locked
    ), taken as (
      delete from outbox where id in (select id from waiting) returning id, topic, payload, created_at, attempts
    )
    select taken.*, (select set_config('lock_timeout', ${lockTimeout}::text, true)) as waits from taken`.execute(trx)
  return rows.sort((a, b) => a.id - b.id)
}

function byTopic(rows: readonly Row[]): Map<OutboxTopic, Row[]> {
  return Map.groupBy(rows, (row) => row.topic as OutboxTopic)
}

async function handle(
  deps: Deps,
  subscriptions: Subscriptions,
  trx: Tx,
  topic: OutboxTopic,
  rows: readonly Row[],
): Promise<void> {
  const payloads = rows.map((row) => row.payload as never)
  for (const handler of subscriptions[topic] ?? []) await (handler as OutboxHandler<OutboxTopic>)(deps, trx, payloads)
}

/** Runs `work` so that only its own writes are undone when it fails; answers the error, or null. */
async function attempt(trx: Tx, work: () => Promise<void>): Promise<Error | null> {
  await sql`savepoint halves`.execute(trx)
  try {
    await work()
    await sql`release savepoint halves`.execute(trx)
    return null
  } catch (error) {
    if (isDatabaseFault(error)) throw error
    await sql`rollback to savepoint halves`.execute(trx)
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** An event that failed waits for its next try, or is set aside after the last. */
async function putBack(deps: Deps, trx: Tx, row: Row, error: Error): Promise<void> {
  const attempts = row.attempts + 1
  const event = { outboxId: row.id, topic: row.topic, attempts }
  if (attempts < mostAttempts) {
    deps.log.warn({ err: error, ...event }, 'outbox: an event failed and is tried again')
    await sql`
      insert into outbox (id, topic, payload, created_at, attempts, try_at) overriding system value
      values (${row.id}::bigint, ${row.topic}, ${JSON.stringify(row.payload)}::jsonb, ${row.created_at},
        ${attempts}::int, now() + ${2 ** attempts}::int * interval '1 second')`.execute(trx)
    return
  }
  deps.log.error({ err: error, ...event }, 'outbox: an event failed for good and is set aside')
  await sql`
    insert into outbox_failed (id, topic, payload, created_at, attempts, last_error)
    values (${row.id}::bigint, ${row.topic}, ${JSON.stringify(row.payload)}::jsonb, ${row.created_at}, ${attempts}::int,
      left(${error.message}, 2000))`.execute(trx)
}
