import { getBulk, listBulk } from '@waybill/contract/bulk'
import { listOrders } from '@waybill/contract/orders'
import { cartCount, getParcel, listParcels } from '@waybill/contract/parcels'
import { getPayment } from '@waybill/contract/payments'
import { getWallet } from '@waybill/contract/wallet'

/** What an event of the account makes untrue. Loaded with the first event, not with the page. */
export const changedBy = {
  parcel: [listParcels, getParcel, cartCount],
  bulk: [getBulk, listBulk],
  wallet: [getWallet],
  payment: [getPayment, listOrders],
} as const
