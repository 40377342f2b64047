/** Messages between a customer and staff about a parcel, an order or a ticket. */
import * as z from 'zod/mini'
import { attachment } from '../attachments/attachments.ts'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant, integer, integerText, ok } from '../ground/fields.ts'
import { keysetPage, keysetQuery, sheetFormat, sheetMedia } from '../ground/paging.ts'

/** What a thread can be about; label `chat.subject.<kind>` in the locale files. */
export const chatSubjects = ['parcel', 'order', 'ticket'] as const
export type ChatSubject = (typeof chatSubjects)[number]

/** The two sides of a thread. The users of an account share theirs, and staff share the inbox. */
export const chatSides = ['customer', 'staff'] as const
export type ChatSide = (typeof chatSides)[number]

/** The maximum length of a message in characters, and the maximum number of files in it. */
export const longestMessage = 4000
export const maxMessageFiles = 6

/** The maximum and the default number of messages per page. */
const maxMessages = 100
const messagesPerPage = 30

export const chatMessage = z.object({
  id,
  /** The position in the thread, 1 for the first message. The server assigns it, so all screens show one order. */
  position: z.number(),
  from: z.enum(chatSides),
  /** The author's name. Customers see none for staff, who answer in the name of the courier. */
  authorName: z.nullable(z.string()),
  /** Plain text: markup in it is shown as typed. */
  text: z.string(),
  files: z.array(attachment),
  at: instant,
})
export type ChatMessage = z.output<typeof chatMessage>

const lastMessage = z.object({
  from: z.enum(chatSides),
  /** The first 200 characters. */
  text: z.string(),
  files: z.number(),
  at: instant,
})

/** A thread has the id of its subject, so it can be opened before its first message. */
export const chatThread = z.object({
  id,
  subject: z.enum(chatSubjects),
  /** The tracking number, order number or ticket number. */
  number: z.string(),
  lastMessage: z.nullable(lastMessage),
  /** Messages of the other side after the last one that this side has read. */
  unread: z.number(),
})
export type ChatThread = z.output<typeof chatThread>

/** A page of messages, oldest first. */
export const messagePage = z.object({
  thread: z.object({
    id,
    subject: z.enum(chatSubjects),
    number: z.string(),
    /** The last position that the other side has read; 0: none. */
    readByOther: z.number(),
    unread: z.number(),
  }),
  items: z.array(chatMessage),
  /** `before` for the page of older messages; null: this page has the first message. */
  before: z.nullable(z.number()),
})
export type MessagePage = z.output<typeof messagePage>

const position = integerText(1)

/**
 * Without `before` and `after` the latest messages. `before`: the latest ones before this position. `after`: the first
 * ones after it, for a screen that was disconnected.
 */
export const messageQuery = z.object({
  before: z.optional(position),
  after: z.optional(integerText(0)),
  limit: z._default(integerText(1, maxMessages), messagesPerPage),
})

const content = {
  text: z._default(z.string().check(z.trim(), z.maxLength(longestMessage)), ''),
  attachmentIds: z._default(z.array(id).check(z.maxLength(maxMessageFiles)), []),
}
/** A message needs a text or a file. The files are uploads with the purpose `message`. */
export const messageInput = z.object(content)

/** The last position on the reader's screen. */
export const readInput = z.object({ position: integer(1) })

const base = '/api/customer/chat'

/** Tabs of the customer's list; label `chat.tab.<tab>` in the locale files. */
export const threadTabs = ['all', 'unread'] as const

const threadFilters = { tab: z._default(z.enum(threadTabs), 'all' as const) }

export const exportThreads = endpoint({
  id: 'chat.threadsXls',
  method: 'GET',
  path: `${base}/threads/xls`,
  access: 'customer.view',
  summary: 'The threads that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...threadFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listThreads = endpoint({
  id: 'chat.threads',
  method: 'GET',
  path: `${base}/threads`,
  access: 'customer.view',
  summary: 'The threads that the caller may see, the latest message first',
  query: z.extend(keysetQuery(), threadFilters),
  response: z.extend(keysetPage(chatThread), { unreadThreads: z.number() }),
})

export const listMessages = endpoint({
  id: 'chat.messages',
  method: 'GET',
  path: `${base}/messages/:id`,
  access: 'customer.view',
  summary: 'Messages about a parcel, an order or a ticket (its id), paged backwards; empty before the first one',
  params: idParams,
  query: messageQuery,
  response: messagePage,
})

export const sendMessage = endpoint({
  id: 'chat.send',
  method: 'POST',
  path: `${base}/message`,
  access: 'support',
  summary: 'Sends a message about a parcel, an order or a ticket (its id)',
  body: z.object({ threadId: id, ...content }),
  response: chatMessage,
  idempotent: true,
  perMinute: 60,
})

export const markRead = endpoint({
  id: 'chat.read',
  method: 'POST',
  path: `${base}/threads/:id/read`,
  access: 'customer.view',
  summary: 'Marks the messages up to a position as read; a mark never goes back',
  params: idParams,
  body: readInput,
  response: ok,
})

export const sendTyping = endpoint({
  id: 'chat.typing',
  method: 'POST',
  path: `${base}/threads/:id/typing`,
  access: 'support',
  summary: 'Shows the other side that the caller is typing; not stored',
  params: idParams,
  response: ok,
  perMinute: 60,
})
