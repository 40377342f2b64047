/** Live events of the signed-in account. */
import { endpoint } from '../ground/endpoint.ts'

/** Server-sent events, read with fetch: EventSource cannot send the bearer token in a header. */
export const accountEvents = endpoint({
  id: 'events.account',
  method: 'GET',
  path: '/api/customer/events',
  access: 'signedIn',
  summary:
    'Server-sent events: `parcel` {id, status, trackingStatus}, `wallet` {balanceMinor}, `payment` {id, status}, ' +
    '`notification`. Staff get only `notification`',
  media: 'text/event-stream',
})

export type AccountEvent =
  | { type: 'addresses'; id: string }
  | { type: 'bulk'; id: string }
  | { type: 'parcel'; id: string; status: string; trackingStatus: string }
  | { type: 'wallet'; balanceMinor: number }
  | { type: 'payment'; id: string; status: string }
  /** The user's notifications have changed. */
  | { type: 'notification' }
