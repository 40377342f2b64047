/** The calls of a thread, for each of its two sides. */
import {
  listMessages,
  listThreads,
  type MessagePage,
  markRead,
  sendMessage,
  sendTyping,
} from '@waybill/contract/chat/chat'
import { listInbox, listInboxMessages, markInboxRead, sendAnswer, sendStaffTyping } from '@waybill/contract/chat/inbox'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { call } from '../../../lib/api.ts'
import type { CallOnce } from '../../../lib/once.ts'

export type MessageContent = { text: string; attachmentIds: string[] }

export type ThreadSide = {
  by: 'customer' | 'staff'
  /** The endpoint whose cached pages are shown. */
  messages: EndpointShape
  /** The queries that a new message invalidates. */
  refresh: readonly EndpointShape[]
  page(id: string, before: number | undefined, signal: AbortSignal): Promise<MessagePage>
  send(callOnce: CallOnce, id: string, content: MessageContent): Promise<unknown>
  read(id: string, position: number): Promise<unknown>
  typing(id: string): Promise<unknown>
}

export const customerSide: ThreadSide = {
  by: 'customer',
  messages: listMessages,
  refresh: [listMessages, listThreads],
  page: (id, before, signal) => call(listMessages, { params: { id }, query: { before }, signal }),
  send: (callOnce, id, content) => callOnce(sendMessage, { body: { threadId: id, ...content } }),
  read: (id, position) => call(markRead, { params: { id }, body: { position } }),
  typing: (id) => call(sendTyping, { params: { id } }),
}

export const staffSide: ThreadSide = {
  by: 'staff',
  messages: listInboxMessages,
  refresh: [listInboxMessages, listInbox],
  page: (id, before, signal) => call(listInboxMessages, { params: { id }, query: { before }, signal }),
  send: (callOnce, id, body) => callOnce(sendAnswer, { params: { id }, body }),
  read: (id, position) => call(markInboxRead, { params: { id }, body: { position } }),
  typing: (id) => call(sendStaffTyping, { params: { id } }),
}
