import type { OrderDetail, OrderVisit } from '@waybill/contract/orders/orders'

/** A visit that is still to come, and how many parcels of the order wait for it. */
export type ComingVisit = { visit: OrderVisit; parcelCount: number }

/**
 * The visits that parcels of an order wait for, and the number of parcels for which no rider comes: their visit failed,
 * or it was cancelled. The choice at the checkout says nothing about it once the order is paid.
 */
export function listComingVisits({ visits, parcels }: Pick<OrderDetail, 'visits' | 'parcels'>): {
  coming: ComingVisit[]
  withoutVisit: number
} {
  const waiting = parcels.filter(({ status }) => status === 'pending_pickup')
  const coming = visits
    .filter(({ status }) => status !== 'failed' && status !== 'completed')
    .map((visit) => ({
      visit,
      parcelCount: waiting.filter(({ pickupRequestId }) => pickupRequestId === visit.id).length,
    }))
    .filter(({ parcelCount }) => parcelCount > 0)
  const withVisit = coming.reduce((sum, { parcelCount }) => sum + parcelCount, 0)
  return { coming, withoutVisit: waiting.length - withVisit }
}
