import type * as addresses from '@waybill/contract/addresses/addresses'
import type * as addressImport from '@waybill/contract/addresses/import'
import type * as addressRequests from '@waybill/contract/addresses/requests'
import type * as chat from '@waybill/contract/chat/chat'
import type * as inbox from '@waybill/contract/chat/inbox'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import type * as notifications from '@waybill/contract/notifications/notifications'
import type * as checkout from '@waybill/contract/orders/checkout'
import type * as orders from '@waybill/contract/orders/orders'
import type * as refunds from '@waybill/contract/orders/refunds'
import type * as bulk from '@waybill/contract/parcels/bulk'
import type * as cart from '@waybill/contract/parcels/cart'
import type * as labels from '@waybill/contract/parcels/labels'
import type * as list from '@waybill/contract/parcels/list'
import type * as parcels from '@waybill/contract/parcels/parcels'
import type * as payments from '@waybill/contract/payments/payments'
import type * as slots from '@waybill/contract/pickups/slots'
import type * as staffTickets from '@waybill/contract/tickets/staff-tickets'
import type * as tickets from '@waybill/contract/tickets/tickets'
import type * as wallet from '@waybill/contract/wallet/wallet'

type Modules =
  | typeof addresses
  | typeof addressImport
  | typeof addressRequests
  | typeof bulk
  | typeof cart
  | typeof chat
  | typeof checkout
  | typeof inbox
  | typeof labels
  | typeof list
  | typeof notifications
  | typeof orders
  | typeof parcels
  | typeof payments
  | typeof refunds
  | typeof slots
  | typeof staffTickets
  | typeof tickets
  | typeof wallet
type IdsIn<Module> = Module extends unknown ? Extract<Module[keyof Module], EndpointShape>['id'] : never

/**
 * What an event of the account makes untrue, by the ids of endpoints: every page needs this list, and should not load
 * the schemas.
 */
export const changedBy = {
  addresses: ['addresses.list', 'addressRequests.list', 'addressImports.get'],
  parcel: [
    'parcels.list',
    'parcels.get',
    'parcels.cartCount',
    'parcels.cart',
    'orders.get',
    'orders.creditNotes',
    'checkouts.pending',
    'pickups.slots',
  ],
  order: ['orders.list', 'orders.get', 'orders.creditNotes', 'checkouts.pending', 'parcels.cart', 'parcels.get'],
  bulk: ['bulk.get', 'bulk.list'],
  notification: ['notifications.alert', 'notifications.list'],
  wallet: ['wallet.get'],
  chat_message: ['chat.messages', 'chat.threads', 'inbox.list', 'inbox.messages'],
  chat_read: ['chat.messages', 'chat.threads', 'inbox.list', 'inbox.messages'],
  ticket: [
    'tickets.list',
    'tickets.get',
    'tickets.claimOptions',
    'staffTickets.list',
    'staffTickets.get',
    'artworks.list',
    'staff.artworks',
  ],
  payment: ['payments.get', 'orders.list', 'orders.get', 'checkouts.pending'],
} as const satisfies Record<string, readonly IdsIn<Modules>[]>
