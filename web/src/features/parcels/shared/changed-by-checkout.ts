import type { getDashboard } from '@waybill/contract/dashboard/dashboard'
import type { pendingCheckouts } from '@waybill/contract/orders/checkout'
import type { getOrder, listOrders } from '@waybill/contract/orders/orders'
import type { cartCount, getCart } from '@waybill/contract/parcels/cart'
import type { listParcels } from '@waybill/contract/parcels/list'
import type { getParcel } from '@waybill/contract/parcels/parcels'
import type { pickupSlots } from '@waybill/contract/pickups/slots'
import type { priceSummary } from '@waybill/contract/pricing/pricing'
import type { EndpointId } from '../../../lib/refresh-answers.ts'

type ChangedEndpoint =
  | typeof cartCount
  | typeof getCart
  | typeof getDashboard
  | typeof getOrder
  | typeof getParcel
  | typeof listOrders
  | typeof listParcels
  | typeof pendingCheckouts
  | typeof pickupSlots
  | typeof priceSummary

const ids = [
  'parcels.cart',
  'parcels.cartCount',
  'parcels.list',
  'parcels.get',
  'orders.list',
  'orders.get',
  'checkouts.pending',
  'pickups.slots',
  'prices.summary',
  'dashboard.list',
] as const satisfies readonly ChangedEndpoint['id'][]

/**
 * What becomes untrue when an order is placed, paid or given up, or when a parcel enters or leaves the cart. By id,
 * because a page that sends such a request should not load the schemas of all these pages.
 */
export const changedByCheckout: readonly EndpointId[] = ids.map((id) => ({ id }))
