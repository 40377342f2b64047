/** Rows of `chat_messages` and `chat_answers`. */
import type { ChatSide } from '@waybill/contract/chat/chat'
import type { SavedAnswer } from '@waybill/contract/chat/inbox'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { ChatAnswers, ChatMessages } from '../../db/schema.ts'

export type MessageRow = Omit<Selectable<ChatMessages>, 'side'> & { side: ChatSide }

/** Appends a message. The caller holds the lock of the thread. */
export async function insertMessage(trx: DbOrTx, row: MessageRow): Promise<void> {
  await trx.insertInto('chat_messages').values(row).execute()
}

/** The range of messages: the latest (`before` null) or the latest before a position; or the first after one. */
export type MessageRange = { before: number | null; after: number | null; limit: number }

/** Messages of a thread in their order. */
export async function listMessageRows(
  db: DbOrTx,
  thread: { account_id: string; id: string },
  { before, after, limit }: MessageRange,
): Promise<MessageRow[]> {
  const forward = after !== null
  const { rows } = await sql<MessageRow>`
    select *
    from chat_messages
    where account_id = ${thread.account_id}::uuid
      and thread_id = ${thread.id}::uuid
      and (${before}::int is null or position < ${before}::int)
      and (${after}::int is null or position > ${after}::int)
    order by position ${sql.raw(forward ? 'asc' : 'desc')}
    limit ${limit}::int`.execute(db)
  return forward ? rows : rows.reverse()
}

export type AnswerRow = Omit<Selectable<ChatAnswers>, 'language'> & Pick<SavedAnswer, 'language'>

/** All saved answers by title. */
export async function listAnswerRows(db: DbOrTx): Promise<AnswerRow[]> {
  const { rows } = await sql<AnswerRow>`
    select *
    from chat_answers
    order by title, language, id
    limit 200`.execute(db)
  return rows
}

/** How many saved answers there are. */
export async function countAnswers(db: DbOrTx): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from chat_answers`.execute(db)
  return rows[0]?.total ?? 0
}

export type AnswerContent = Pick<AnswerRow, 'title' | 'text' | 'language' | 'updated_by' | 'updated_at'>

/** Stores an answer. Violates `chat_answers_title` if its language already has one with this title. */
export async function insertAnswer(trx: DbOrTx, id: string, content: AnswerContent): Promise<AnswerRow> {
  const row = await trx
    .insertInto('chat_answers')
    .values({ id, ...content })
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as AnswerRow
}

/** A saved answer, locked until the transaction ends. */
export async function lockAnswer(trx: DbOrTx, id: string): Promise<AnswerRow | null> {
  const { rows } = await sql<AnswerRow>`select * from chat_answers where id = ${id}::uuid for update`.execute(trx)
  return rows[0] ?? null
}

/** Replaces a locked answer. */
export async function updateAnswerRow(trx: DbOrTx, row: AnswerRow, content: AnswerContent): Promise<AnswerRow> {
  const updated = await trx
    .updateTable('chat_answers')
    .set({ ...content, version: row.version + 1 })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return updated as AnswerRow
}

/** Deletes a saved answer. */
export async function deleteAnswerRow(trx: DbOrTx, id: string): Promise<void> {
  await trx.deleteFrom('chat_answers').where('id', '=', id).execute()
}
