import { getBulk, listBulk } from '@waybill/contract/bulk'
import { pendingCheckouts } from '@waybill/contract/checkouts'
import { getOrder, listOrders } from '@waybill/contract/orders'
import { cartCount, getCart, getParcel, listParcels } from '@waybill/contract/parcels'
import { getPayment } from '@waybill/contract/payments'
import { getWallet } from '@waybill/contract/wallet'

/** What an event of the account makes untrue. Loaded with the first event, not with the page. */
export const changedBy = {
  parcel: [listParcels, getParcel, cartCount, getCart, getOrder],
  bulk: [getBulk, listBulk],
  wallet: [getWallet],
  payment: [getPayment, listOrders, getOrder, pendingCheckouts],
} as const
