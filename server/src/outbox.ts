import { setTimeout as delay } from 'node:timers/promises'
import type { Db, DbOrTx } from './db/pool.ts'
import { tx } from './db/pool.ts'
import type { Deps } from './deps.ts'

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
/** Gets the events of its topic in the order in which they were written, a batch at a time: what many of them need is asked and told in one statement. */
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

const batchSize = 200
const lookEveryMs = 500
/** Between two batches of a busy process: what is written meanwhile goes out together. */
const pauseMs = 20

/** Every process hands out: rows are taken with SKIP LOCKED, so each goes to one. At least once, in the order of each topic within a batch. */
export function createOutbox(db: Db): Dispatcher {
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  let timer: NodeJS.Timeout | null = null
  let started: { deps: Deps; subscriptions: Subscriptions } | null = null

  const batch = async (): Promise<number> => {
    if (!started) return 0
    const { deps, subscriptions } = started
    return tx(db, async (trx) => {
      const rows = await trx
        .deleteFrom('outbox')
        .where('id', 'in', (query) =>
          query.selectFrom('outbox').select('id').orderBy('id').limit(batchSize).forUpdate().skipLocked(),
        )
        .returning(['id', 'topic', 'payload'])
        .execute()
      rows.sort((a, b) => a.id - b.id)
      for (const topic of Object.keys(subscriptions) as OutboxTopic[]) {
        const payloads = rows.filter((row) => row.topic === topic).map((row) => row.payload as never)
        if (payloads.length === 0) continue
        for (const handler of subscriptions[topic] ?? [])
          await (handler as OutboxHandler<OutboxTopic>)(deps, trx, payloads)
      }
      return rows.length
    })
  }

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
