/** Live events of threads, to the screens of both sides. They contain ids and positions; the screen loads the rest. */
import type { ChatSide } from '@waybill/contract/chat/chat'
import type { AccountEvent } from '@waybill/contract/tracking/account-events'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { accountTopic, staffTopic } from '../../http/live.ts'
import type { AccountMessage } from '../tracking/live.ts'

type ThreadRecord = { account_id: string; id: string; created_by: string }

/** Sends an event of a thread to both sides, when the transaction commits. */
async function publish(deps: Deps, trx: DbOrTx, thread: ThreadRecord, event: AccountEvent): Promise<void> {
  const message: AccountMessage = { ...event, createdBy: thread.created_by }
  await deps.live.publishAll(trx, [
    { topic: accountTopic(thread.account_id), data: message },
    { topic: staffTopic, data: event },
  ])
}

/** Announces a new message. */
export const publishMessage = (deps: Deps, trx: DbOrTx, thread: ThreadRecord, position: number, from: ChatSide) =>
  publish(deps, trx, thread, { type: 'chat_message', threadId: thread.id, position, from })

/** Announces that a side has read up to a position. */
export const publishRead = (deps: Deps, trx: DbOrTx, thread: ThreadRecord, position: number, by: ChatSide) =>
  publish(deps, trx, thread, { type: 'chat_read', threadId: thread.id, position, by })

/** Announces that a side is typing. */
export const publishTyping = (deps: Deps, trx: DbOrTx, thread: ThreadRecord, by: ChatSide) =>
  publish(deps, trx, thread, { type: 'chat_typing', threadId: thread.id, by })
