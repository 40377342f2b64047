/** The staff inbox: threads of all accounts, their assignees, and saved answers. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant, locale, ok, text, version } from '../ground/fields.ts'
import { keysetPage, keysetQuery, sheetFormat, sheetMedia } from '../ground/paging.ts'
import {
  chatMessage,
  chatSubjects,
  chatThread,
  longestMessage,
  messageInput,
  messagePage,
  messageQuery,
  readInput,
} from './chat.ts'

const base = '/api/staff/chat'
/** Serving customers is one right, on every channel: by phone, in their account, or in the inbox. */
const access = 'staff.accounts' as const

/** Tabs of the inbox. `waiting`: the customer wrote last; the longest waiting first. */
export const inboxTabs = ['waiting', 'mine', 'unassigned', 'all'] as const
export type InboxTab = (typeof inboxTabs)[number]

const person = z.object({ id, name: z.string() })

export const inboxThread = z.extend(chatThread, {
  accountId: id,
  accountName: z.string(),
  assignee: z.nullable(person),
  /** When the customer wrote their first unanswered message; null: every message has an answer. */
  waitingSince: z.nullable(instant),
})
export type InboxThread = z.output<typeof inboxThread>

const inboxFilters = {
  tab: z._default(z.enum(inboxTabs), 'waiting' as const),
  subject: z.optional(z.enum(chatSubjects)),
  accountId: z.optional(id),
  /** The beginning of a tracking number, order number or ticket number. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(60))),
}

export const exportInbox = endpoint({
  id: 'inbox.xls',
  method: 'GET',
  path: `${base}/threads/xls`,
  access,
  summary: 'The threads that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...inboxFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listInbox = endpoint({
  id: 'inbox.list',
  method: 'GET',
  path: `${base}/threads`,
  access,
  summary: 'Threads of all accounts by tab; `waiting` sorts by the longest wait, the others by the latest message',
  query: z.extend(keysetQuery(), inboxFilters),
  response: z.extend(keysetPage(inboxThread), {
    /** Threads in which a customer waits, and those of them that are assigned to the caller. */
    counts: z.object({ waiting: z.number(), mine: z.number() }),
  }),
})

export const listInboxMessages = endpoint({
  id: 'inbox.messages',
  method: 'GET',
  path: `${base}/threads/:id/messages`,
  access,
  summary: 'Messages of a thread, paged backwards, with its account and who answers it',
  params: idParams,
  query: messageQuery,
  response: z.extend(messagePage, {
    accountId: id,
    accountName: z.string(),
    assignee: z.nullable(person),
    waitingSince: z.nullable(instant),
  }),
})

export const sendAnswer = endpoint({
  id: 'inbox.send',
  method: 'POST',
  path: `${base}/threads/:id/messages`,
  access,
  summary: 'Replies to a customer, or starts a thread; assigns an unassigned thread to the caller',
  params: idParams,
  body: messageInput,
  response: chatMessage,
  idempotent: true,
})

export const markInboxRead = endpoint({
  id: 'inbox.read',
  method: 'POST',
  path: `${base}/threads/:id/read`,
  access,
  summary: 'Marks the messages up to a position as read by staff',
  params: idParams,
  body: readInput,
  response: ok,
})

export const sendStaffTyping = endpoint({
  id: 'inbox.typing',
  method: 'POST',
  path: `${base}/threads/:id/typing`,
  access,
  summary: 'Shows the customer that staff are typing; not stored',
  params: idParams,
  response: ok,
  perMinute: 60,
})

export const assignThread = endpoint({
  id: 'inbox.assign',
  method: 'PUT',
  path: `${base}/threads/:id/assignee`,
  access,
  summary: 'Assigns a thread to a member of staff who may answer, or to nobody (null)',
  params: idParams,
  body: z.object({
    assigneeId: z.nullable(id),
    /** The assignee that the caller saw: if a colleague was faster, 409 and nothing changes. */
    expectedId: z.nullable(id),
  }),
  response: ok,
})

export const listAssignees = endpoint({
  id: 'inbox.assignees',
  method: 'GET',
  path: `${base}/assignees`,
  access,
  summary: 'Active staff who may answer customers, by name',
  response: z.object({ items: z.array(person) }),
})

export const savedAnswer = z.object({ id, version, title: z.string(), text: z.string(), language: locale })
export type SavedAnswer = z.output<typeof savedAnswer>

const answerInput = { title: text(80), text: text(longestMessage), language: locale }

export const listAnswers = endpoint({
  id: 'inbox.answers',
  method: 'GET',
  path: `${base}/answers`,
  access,
  summary: 'All saved answers by title, at most 200',
  response: z.object({ items: z.array(savedAnswer) }),
})

export const createAnswer = endpoint({
  id: 'inbox.createAnswer',
  method: 'POST',
  path: `${base}/answers`,
  access,
  summary: 'Saves an answer for all staff; 422 at `title` where the language has one with this title',
  body: z.object(answerInput),
  response: savedAnswer,
})

export const updateAnswer = endpoint({
  id: 'inbox.updateAnswer',
  method: 'PUT',
  path: `${base}/answers/:id`,
  access,
  summary: 'Changes a saved answer',
  params: idParams,
  body: z.object({ version, ...answerInput }),
  response: savedAnswer,
})

export const deleteAnswer = endpoint({
  id: 'inbox.deleteAnswer',
  method: 'DELETE',
  path: `${base}/answers/:id`,
  access,
  summary: 'Deletes a saved answer',
  params: idParams,
  response: ok,
})
