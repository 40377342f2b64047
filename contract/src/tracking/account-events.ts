/** Live events of the signed-in account, and of staff. */
import type { ChatSide } from '../chat/chat.ts'
import { endpoint } from '../ground/endpoint.ts'

/** Server-sent events, read with fetch: EventSource cannot send the bearer token in a header. */
export const accountEvents = endpoint({
  id: 'events.account',
  method: 'GET',
  path: '/api/customer/events',
  access: 'customer.view',
  summary:
    'Server-sent events: `parcel` {id, status, trackingStatus}, `wallet` {balanceMinor}, `payment` {id, status}, ' +
    '`order` {id} (an unpaid order has ended), `chat_message` {threadId, position, from}, ' +
    '`chat_read` {threadId, position, by}, `chat_typing` {threadId, by}, ' +
    '`ticket` {id, status}, `bulk` {id} and `addresses` {id} (an import has changed), `notification` {}',
  media: 'text/event-stream',
})

/** The same for staff, over all accounts. */
export const staffEvents = endpoint({
  id: 'events.staff',
  method: 'GET',
  path: '/api/staff/events',
  access: 'staff.any',
  summary:
    'Server-sent events for staff: `notification` {}, and `chat_…` and `ticket` of all accounts for those who serve ' +
    'customers',
  media: 'text/event-stream',
})

export type ChatEvent =
  | { type: 'chat_message'; threadId: string; position: number; from: ChatSide }
  | { type: 'chat_read'; threadId: string; position: number; by: ChatSide }
  | { type: 'chat_typing'; threadId: string; by: ChatSide }

type TicketEvent = { type: 'ticket'; id: string; status: string }

/** An event on the topic of staff. */
export type StaffEvent = ChatEvent | TicketEvent

export type AccountEvent =
  | ChatEvent
  | TicketEvent
  | { type: 'addresses'; id: string }
  | { type: 'bulk'; id: string }
  | { type: 'parcel'; id: string; status: string; trackingStatus: string }
  | { type: 'wallet'; balanceMinor: number }
  | { type: 'payment'; id: string; status: string }
  /** An unpaid order has ended. */
  | { type: 'order'; id: string }
  /** The user's own notifications have changed. */
  | { type: 'notification' }
