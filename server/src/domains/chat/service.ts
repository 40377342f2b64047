/** Messages about parcels, orders and tickets, for both sides of a thread. */
import type {
  ChatMessage,
  ChatSide,
  listThreads,
  MessagePage,
  messageInput,
  messageQuery,
} from '@waybill/contract/chat/chat'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { output } from 'zod/mini'
import { readKeysetPage } from '../../db/keyset.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller, UserCaller } from '../../http/caller.ts'
import { validationError } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { newId } from '../../lib/ids.ts'
import { findUserNames } from '../accounts/service.ts'
import { listStaffWithAccess } from '../accounts/staff/staff-who-may.ts'
import { claimAttachments, listAttachmentsBySubject } from '../attachments/service.ts'
import { notify, type Recipient } from '../notifications/notify.ts'
import { onlyCreatedBy } from '../parcels/access.ts'
import { findTicketOfAnyAccount, followMessage } from '../tickets/service.ts'
import { publishMessage, publishRead, publishTyping } from './live.ts'
import { presentHead, presentMessage, presentThread } from './present.ts'
import {
  countMessage,
  countOwnThreads,
  findThread,
  listOwnThreads,
  lockThread,
  moveReadMark,
  type SubjectOfThread,
  type ThreadRow,
} from './queries.ts'
import { insertMessage, listMessageRows, type MessageRow } from './queries-messages.ts'
import { requireSubject } from './subjects.ts'

/** The subject kind that claims the files of a message. */
const fileSubject = 'message'

/** The threads that the caller may see, the latest message first. */
export async function listOwnThreadPage(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof listThreads>,
): Promise<ResponseOf<typeof listThreads>> {
  const own = { accountId: caller.accountId, createdBy: onlyCreatedBy(caller) }
  const filter = { ...own, unread: query.tab === 'unread' }
  const [{ rows, next, previous }, total, unreadThreads] = await Promise.all([
    readKeysetPage(query, (from) => listOwnThreads(deps.db, filter, from)),
    countOwnThreads(deps.db, filter),
    countOwnThreads(deps.db, { ...own, unread: true }),
  ])
  const items = rows.map((row) => presentThread(row, 'customer'))
  return { items, total, limit: query.limit, next, previous, unreadThreads }
}

/** Rows as messages for one side, with links to their files. */
async function presentRows(
  deps: Deps,
  db: DbOrTx,
  rows: readonly MessageRow[],
  side: ChatSide,
): Promise<ChatMessage[]> {
  const withFiles = rows.filter(({ files }) => files > 0).map(({ id }) => id)
  const [files, names] = await Promise.all([
    listAttachmentsBySubject(deps, db, fileSubject, withFiles),
    findUserNames(db, [...new Set(rows.map(({ author_id }) => author_id))]),
  ])
  // Staff answer in the name of the courier: customers see no names of staff.
  const authorName = (row: MessageRow) =>
    side === 'customer' && row.side === 'staff' ? null : (names.get(row.author_id) ?? null)
  return rows.map((row) => presentMessage(row, files.get(row.id) ?? [], authorName(row)))
}

/** A page of messages with the thread's row, which is null before the first message. Throws not_found. */
export async function readMessagePage(
  deps: Deps,
  caller: UserCaller,
  id: string,
  query: output<typeof messageQuery>,
): Promise<{ page: MessagePage; subject: SubjectOfThread; row: ThreadRow | null }> {
  const subject = await requireSubject(deps.db, caller, id)
  const row = await findThread(deps.db, id, subject.accountId)
  const range = { before: query.before ?? null, after: query.after ?? null, limit: query.limit }
  const rows = row ? await listMessageRows(deps.db, row, range) : []
  const first = rows[0]?.position ?? 1
  const page = {
    thread: presentHead(subject, row, caller.kind),
    items: await presentRows(deps, deps.db, rows, caller.kind),
    before: first > 1 ? first : null,
  }
  return { page, subject, row }
}

/**
 * Appends a message under the lock of its thread, which assigns its position. Throws not_found, and validation for a
 * message without content and for files that are not the caller's.
 */
export async function appendMessage(
  deps: Deps,
  caller: UserCaller,
  id: string,
  { text, attachmentIds }: output<typeof messageInput>,
  idempotency: Idempotency,
): Promise<ChatMessage> {
  const side = caller.kind
  return tx(deps.db, async (trx) => {
    const subject = await requireSubject(trx, caller, id)
    if (text === '' && attachmentIds.length === 0) throw validationError({ field: 'text', rule: 'required' })
    const now = deps.clock.now()
    const thread = await lockThread(trx, subject, now)
    // The clock of another process may be ahead; times must not decrease while positions increase.
    const at = new Date(Math.max(thread.last_at.getTime(), now.getTime()))
    const messageId = newId()
    const files = await claimAttachments(deps, trx, attachmentIds, caller, {
      kind: fileSubject,
      id: messageId,
      accountId: subject.accountId,
      purpose: 'message',
    })
    const row: MessageRow = {
      account_id: subject.accountId,
      thread_id: id,
      position: thread.last_position + 1,
      id: messageId,
      side,
      author_id: caller.userId,
      text,
      files: files.length,
      at,
    }
    await insertMessage(trx, row)
    await countMessage(trx, thread, { side, position: row.position, at, authorId: caller.userId })
    if (subject.subject === 'ticket') await followMessage(deps, trx, id, side)
    await notifyOther(deps, trx, thread, side)
    await publishMessage(deps, trx, thread, row.position, side)
    const [message] = await presentRows(deps, trx, [row], side)
    await idempotency.keep(trx, message)
    return message as ChatMessage
  })
}

/**
 * Notifies the other side of a message, unless it has unread ones already: messages in a row are one notification.
 * Among staff the recipient is the assignee or, without one who may still answer, everyone who may.
 */
async function notifyOther(deps: Deps, trx: DbOrTx, thread: ThreadRow, from: ChatSide): Promise<void> {
  const unread = from === 'customer' ? thread.staff_unread : thread.customer_unread
  if (unread > 0) return
  await notify(deps, trx, {
    kind: 'message_received',
    to: from === 'customer' ? await findStaffToNotify(trx, thread) : { users: [await findCustomer(trx, thread)] },
    subjectId: thread.id,
    facts: { number: thread.number },
  })
}

/** The customer's user who expects answers: of a claim, who has made it. */
async function findCustomer(trx: DbOrTx, { id, subject, created_by }: ThreadRow): Promise<string> {
  const ticket = subject === 'ticket' ? await findTicketOfAnyAccount(trx, id) : null
  return ticket?.opened_by ?? created_by
}

/** The assignee may have left or changed to another role since. */
async function findStaffToNotify(trx: DbOrTx, { assignee_id }: ThreadRow): Promise<Recipient> {
  const everyone = { staff: 'staff.accounts' } as const
  if (assignee_id === null) return everyone
  const staff = await listStaffWithAccess(trx, everyone.staff)
  return staff.some(({ id }) => id === assignee_id) ? { users: [assignee_id] } : everyone
}

/** Marks messages as read by the caller's side. Does nothing before the first message. Throws not_found. */
export async function readUpTo(deps: Deps, caller: UserCaller, id: string, position: number): Promise<{ ok: true }> {
  await tx(deps.db, async (trx) => {
    const subject = await requireSubject(trx, caller, id)
    const thread = await findThread(trx, id, subject.accountId)
    const mark = thread && (await moveReadMark(trx, thread, caller.kind, position))
    if (thread && mark) await publishRead(deps, trx, thread, mark, caller.kind)
  })
  return { ok: true }
}

/** Notifies the other side that the caller is typing. Throws not_found. */
export async function announceTyping(deps: Deps, caller: UserCaller, id: string): Promise<{ ok: true }> {
  const { accountId, createdBy } = await requireSubject(deps.db, caller, id)
  await publishTyping(deps, deps.db, { account_id: accountId, id, created_by: createdBy }, caller.kind)
  return { ok: true }
}
