import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { isDueInStore, type OrderDetail } from '@waybill/contract/orders/orders'

type Facts = Pick<OrderDetail, 'status' | 'paymentMethod' | 'paidAt' | 'invoiceNumber'> & {
  parcels: readonly { status: ParcelStatus }[]
}

const toHandOver: readonly ParcelStatus[] = ['pending_pickup', 'pending_dropoff']

/**
 * What is left to do at the checkout: pay, hand over the parcels, or nothing. `over`: the order has its invoice, so it
 * is paid or billed, and no parcel is left to hand over. `ended`: it was never paid.
 */
export function getCheckoutStep(order: Facts): 'pay' | 'hand_over' | 'over' | 'ended' {
  if (order.status === 'pending_payment') return 'pay'
  const waits = isDueInStore(order) || order.parcels.some(({ status }) => toHandOver.includes(status))
  if (order.invoiceNumber !== null && !waits) return 'over'
  return order.status === 'cancel' ? 'ended' : 'hand_over'
}

/** The number of parcels that are still to be handed over: not the cancelled ones, nor those under way. */
export function countToHandOver(order: Facts): number {
  const isLeft = (status: ParcelStatus) =>
    toHandOver.includes(status) || (isDueInStore(order) && status === 'outstanding')
  return order.parcels.filter(({ status }) => isLeft(status)).length
}
