import type { OrderDetail } from '@waybill/contract/orders/orders'
import { getPickupRequest } from '@waybill/contract/pickups/pickups'
import { useCall } from '../../../lib/query.ts'

/**
 * The rider's visit for an order; null if there is none. The order stores the original choice; the visit may have been
 * rescheduled since, or be `off`: cancelled or failed.
 */
export function usePickupVisit({ pickup, parcels }: OrderDetail) {
  const id = parcels.find(({ pickupRequestId }) => pickupRequestId !== null)?.pickupRequestId ?? null
  const { data } = useCall(getPickupRequest, { params: { id: id ?? '' } }, { enabled: id !== null && pickup !== null })
  const off = Boolean(data && (data.cancelledAt || data.status === 'failed'))
  const present = data ?? pickup
  return { visit: present && { date: present.date, window: present.window }, off }
}
