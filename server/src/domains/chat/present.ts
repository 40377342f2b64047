/** Threads and messages as the API returns them. */
import type { Attachment } from '@waybill/contract/attachments/attachments'
import type { ChatMessage, ChatSide, ChatThread, MessagePage } from '@waybill/contract/chat/chat'
import type { InboxThread, SavedAnswer } from '@waybill/contract/chat/inbox'
import type { ListedThread, SubjectOfThread, ThreadRow } from './queries.ts'
import type { AnswerRow, MessageRow } from './queries-messages.ts'

/** A thread of a list, as one side sees it. */
export function presentThread(row: ListedThread, side: ChatSide): ChatThread {
  return {
    id: row.id,
    subject: row.subject,
    number: row.number,
    lastMessage: {
      from: row.message_side,
      text: row.message_text,
      files: row.message_files,
      at: row.last_at.toISOString(),
    },
    unread: side === 'customer' ? row.customer_unread : row.staff_unread,
  }
}

/** A thread of the inbox; names by id. */
export function presentInboxThread(
  row: ListedThread,
  accounts: ReadonlyMap<string, string>,
  people: ReadonlyMap<string, string>,
): InboxThread {
  return {
    ...presentThread(row, 'staff'),
    accountId: row.account_id,
    accountName: accounts.get(row.account_id) ?? '',
    assignee: presentAssignee(row, people),
    waitingSince: row.waiting_since?.toISOString() ?? null,
  }
}

/** The assignee of a thread; null if there is none. */
export function presentAssignee(
  row: Pick<ThreadRow, 'assignee_id'> | null,
  people: ReadonlyMap<string, string>,
): InboxThread['assignee'] {
  return row?.assignee_id ? { id: row.assignee_id, name: people.get(row.assignee_id) ?? '' } : null
}

/** The head of a page of messages; `row` null: nobody has written yet. */
export function presentHead(subject: SubjectOfThread, row: ThreadRow | null, side: ChatSide): MessagePage['thread'] {
  const [readByOther, unread] =
    side === 'customer' ? [row?.staff_read, row?.customer_unread] : [row?.customer_read, row?.staff_unread]
  return {
    id: subject.id,
    subject: subject.subject,
    number: subject.number,
    readByOther: readByOther ?? 0,
    unread: unread ?? 0,
  }
}

/** A message with its files; `authorName` null if the reader must not see it. */
export function presentMessage(row: MessageRow, files: readonly Attachment[], authorName: string | null): ChatMessage {
  return {
    id: row.id,
    position: row.position,
    from: row.side,
    authorName,
    text: row.text,
    files: [...files],
    at: row.at.toISOString(),
  }
}

/** A saved answer. */
export function presentAnswer({ id, version, title, text, language }: AnswerRow): SavedAnswer {
  return { id, version, title, text, language }
}
