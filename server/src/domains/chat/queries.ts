/** Rows of `chat_threads`. */

import type { ChatSide, ChatSubject } from '@waybill/contract/chat/chat'
import type { InboxTab } from '@waybill/contract/chat/inbox'
import { countLimit } from '@waybill/contract/ground/paging'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { beginningWith } from '../../db/conditions/like.ts'
import { type Keyed, keysetClauses, type ReadFrom } from '../../db/keyset.ts'
import { countRows } from '../../db/page.ts'
import type { DbOrTx } from '../../db/pool.ts'
import type { ChatThreads } from '../../db/schema.ts'
import type { AccountId } from '../../http/caller.ts'
import { numberSpellings } from '../../lib/number-search.ts'

export type ThreadRow = Omit<Selectable<ChatThreads>, 'subject'> & { subject: ChatSubject }

/** A thread in a list, with its last message. */
export type ListedThread = ThreadRow &
  Keyed & {
    message_side: ChatSide
    message_text: string
    message_files: number
  }

/** The record that a thread is about, and its account. */
export type SubjectOfThread = {
  id: string
  accountId: AccountId
  subject: ChatSubject
  number: string
  createdBy: string
}

/** A thread by its id; `accountId` null: of any account, for staff. */
export async function findThread(db: DbOrTx, id: string, accountId: AccountId | null): Promise<ThreadRow | null> {
  const { rows } = await sql<ThreadRow>`
    select *
    from chat_threads
    where id = ${id}::uuid and (${accountId}::uuid is null or account_id = ${accountId}::uuid)`.execute(db)
  return rows[0] ?? null
}

/** The thread of a subject, locked until the transaction ends; created if this is its first message. */
export async function lockThread(trx: DbOrTx, subject: SubjectOfThread, at: Date): Promise<ThreadRow> {
  await sql`
    insert into chat_threads (account_id, id, subject, number, created_by, last_at)
    values (
      ${subject.accountId}::uuid, ${subject.id}::uuid, ${subject.subject}, ${subject.number},
      ${subject.createdBy}::uuid, ${at}::timestamptz
    )
    on conflict (account_id, id) do nothing`.execute(trx)
  const { rows } = await sql<ThreadRow>`
    select *
    from chat_threads
    where account_id = ${subject.accountId}::uuid and id = ${subject.id}::uuid
    for update`.execute(trx)
  return rows[0] as ThreadRow
}

/**
 * Counts a new message of `side`. Its author has read the thread up to it. A customer's message starts the wait; an
 * answer ends it and assigns an unassigned thread.
 */
export async function countMessage(
  trx: DbOrTx,
  row: ThreadRow,
  message: { side: ChatSide; position: number; at: Date; authorId: string },
): Promise<void> {
  const { side, position, at, authorId } = message
  const marks =
    side === 'customer'
      ? sql`customer_read = ${position}::int, customer_unread = 0, staff_unread = staff_unread + 1,
        waiting_since = coalesce(waiting_since, ${at}::timestamptz)`
      : sql`staff_read = ${position}::int, staff_unread = 0, customer_unread = customer_unread + 1,
        waiting_since = null, assignee_id = coalesce(assignee_id, ${authorId}::uuid)`
  await sql`
    update chat_threads
    set last_position = ${position}::int, last_at = ${at}::timestamptz, ${marks}
    where account_id = ${row.account_id}::uuid and id = ${row.id}::uuid`.execute(trx)
}

/** Moves a side's read mark forward, at most to the last message. Returns the new mark; null if it has not moved. */
export async function moveReadMark(
  trx: DbOrTx,
  row: ThreadRow,
  side: ChatSide,
  position: number,
): Promise<number | null> {
  const [read, unread] = [sql.ref(`${side}_read`), sql.ref(`${side}_unread`)]
  const { rows } = await sql<{ position: number }>`
    update chat_threads t
    set ${read} = mark.position, ${unread} = (
      select count(*)
      from chat_messages m
      where m.account_id = t.account_id and m.thread_id = t.id and m.position > mark.position and m.side <> ${side}
    )
    from (
      select least(${position}::int, last_position) as position
      from chat_threads
      where account_id = ${row.account_id}::uuid and id = ${row.id}::uuid
      for update
    ) mark
    where t.account_id = ${row.account_id}::uuid and t.id = ${row.id}::uuid and t.${read} < mark.position
    returning mark.position`.execute(trx)
  return rows[0]?.position ?? null
}

/** Assigns a thread if its assignee is still `expectedId`. Returns whether it was. */
export async function setAssignee(
  trx: DbOrTx,
  id: string,
  { expectedId, assigneeId }: { expectedId: string | null; assigneeId: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update chat_threads
    set assignee_id = ${assigneeId}::uuid
    where id = ${id}::uuid and assignee_id is not distinct from ${expectedId}::uuid`.execute(trx)
  return Number(numAffectedRows ?? 0) > 0
}

/** Threads by key: `column` is the time that they are sorted by. */
async function listByKey(
  db: DbOrTx,
  conditions: readonly RawBuilder<unknown>[],
  { column, oldestFirst }: { column: 'last_at' | 'waiting_since'; oldestFirst: boolean },
  from: ReadFrom,
): Promise<ListedThread[]> {
  const at = `t.${column}`
  const { beyond, order } = keysetClauses(from, { at, id: 't.id', ascending: oldestFirst })
  const { rows } = await sql<ListedThread>`
    select t.*, ${sql.raw(at)}::text as at_exactly, m.side as message_side, left(m.text, 200) as message_text,
      m.files as message_files
    from chat_threads t
    join chat_messages m on m.account_id = t.account_id and m.thread_id = t.id and m.position = t.last_position
    where ${conditions.length > 0 ? sql.join([...conditions], sql` and `) : sql`true`} ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

async function count(db: DbOrTx, conditions: readonly RawBuilder<unknown>[]): Promise<number> {
  return countRows(
    db,
    sql`from chat_threads t where ${conditions.length > 0 ? sql.join([...conditions], sql` and `) : sql`true`}`,
    countLimit,
  )
}

/** The threads of an account; `createdBy` null: of all its users. */
export type OwnThreads = { accountId: AccountId; createdBy: string | null; unread: boolean }

const ownConditions = ({ accountId, createdBy, unread }: OwnThreads) => [
  sql`t.account_id = ${accountId}::uuid`,
  ...(createdBy === null ? [] : [sql`t.created_by = ${createdBy}::uuid`]),
  ...(unread ? [sql`t.customer_unread > 0`] : []),
]

/** A page of an account's threads, the latest message first. */
export const listOwnThreads = (db: DbOrTx, filter: OwnThreads, from: ReadFrom): Promise<ListedThread[]> =>
  listByKey(db, ownConditions(filter), { column: 'last_at', oldestFirst: false }, from)

/** The number of an account's threads, at most `countLimit`. */
export const countOwnThreads = (db: DbOrTx, filter: OwnThreads): Promise<number> => count(db, ownConditions(filter))

/** The filter of the inbox. `staffId`: whose threads `mine` are. */
export type InboxFilter = {
  tab: InboxTab
  staffId: string
  subject: ChatSubject | null
  accountId: string | null
  /** The beginning of a number; null: all. */
  search: string | null
}

const tabConditions = {
  waiting: () => [sql`t.waiting_since is not null`],
  mine: (staffId: string) => [sql`t.assignee_id = ${staffId}::uuid`],
  unassigned: () => [sql`t.assignee_id is null`],
  all: () => [],
} as const satisfies Record<InboxTab, (staffId: string) => RawBuilder<unknown>[]>

/** Whether a stored number starts with the text of a search, in any spelling. */
const startsWith = (column: RawBuilder<unknown>, text: string) => {
  const spellings = numberSpellings(text).map((spelling) => sql`${column} like ${beginningWith(spelling)}`)
  return spellings.length === 0 ? sql`false` : sql`(${sql.join(spellings, sql` or `)})`
}

const inboxConditions = ({ tab, staffId, subject, accountId, search }: InboxFilter) => [
  ...tabConditions[tab](staffId),
  ...(subject === null ? [] : [sql`t.subject = ${subject}`]),
  ...(accountId === null ? [] : [sql`t.account_id = ${accountId}::uuid`]),
  ...(search === null ? [] : [startsWith(sql`t.number`, search)]),
]

/** A page of the inbox: the longest wait first for `waiting`, else the latest message first. */
export const listInboxRows = (db: DbOrTx, filter: InboxFilter, from: ReadFrom): Promise<ListedThread[]> =>
  listByKey(
    db,
    inboxConditions(filter),
    filter.tab === 'waiting'
      ? { column: 'waiting_since', oldestFirst: true }
      : { column: 'last_at', oldestFirst: false },
    from,
  )

/** The number of threads in the inbox, at most `countLimit`. */
export const countInbox = (db: DbOrTx, filter: InboxFilter): Promise<number> => count(db, inboxConditions(filter))

/** How many threads wait for an answer, and how many of those are assigned to this user. */
export async function countWaitingThreads(db: DbOrTx, staffId: string): Promise<{ waiting: number; mine: number }> {
  const waiting = sql`t.waiting_since is not null`
  const [all, mine] = await Promise.all([
    count(db, [waiting]),
    count(db, [waiting, sql`t.assignee_id = ${staffId}::uuid`]),
  ])
  return { waiting: all, mine }
}
