import { listAddresses } from '@waybill/contract/addresses/addresses'
import { getAddressImport } from '@waybill/contract/addresses/import'
import { listAddressRequests } from '@waybill/contract/addresses/requests'
import { listMessages, listThreads } from '@waybill/contract/chat/chat'
import { listInbox, listInboxMessages } from '@waybill/contract/chat/inbox'
import { listNotifications, notificationAlert } from '@waybill/contract/notifications/notifications'
import { pendingCheckouts } from '@waybill/contract/orders/checkout'
import { getOrder, listOrders } from '@waybill/contract/orders/orders'
import { getBulk, listBulk } from '@waybill/contract/parcels/bulk'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { listArtworks, staffArtworks } from '@waybill/contract/parcels/labels'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { getPayment } from '@waybill/contract/payments/payments'
import { getStaffTicket, listStaffTickets } from '@waybill/contract/tickets/staff-tickets'
import { claimOptions, getTicket, listTickets } from '@waybill/contract/tickets/tickets'
import { getWallet } from '@waybill/contract/wallet/wallet'

/** What an event of the account makes untrue. Loaded with the first event, not with the page. */
export const changedBy = {
  addresses: [listAddresses, listAddressRequests, getAddressImport],
  parcel: [listParcels, getParcel, cartCount, getCart, getOrder],
  bulk: [getBulk, listBulk],
  notification: [notificationAlert, listNotifications],
  wallet: [getWallet],
  chat_message: [listMessages, listThreads, listInbox, listInboxMessages],
  chat_read: [listMessages, listThreads, listInbox, listInboxMessages],
  ticket: [listTickets, getTicket, claimOptions, listStaffTickets, getStaffTicket, listArtworks, staffArtworks],
  payment: [getPayment, listOrders, getOrder, pendingCheckouts],
} as const
