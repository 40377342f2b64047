/** The type of a subscriber of the outbox. */
import type { DbOrTx } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import type { OutboxEvents, OutboxTopic } from './outbox.ts'

/**
 * Handles a batch of events of one topic. It runs in the transaction that removes them from the outbox, at least once
 * per event; so it must tolerate an event that it has seen before.
 */
export type OutboxHandler<T extends OutboxTopic> = (
  deps: Deps,
  trx: DbOrTx,
  payloads: readonly OutboxEvents[T][],
) => Promise<void>
