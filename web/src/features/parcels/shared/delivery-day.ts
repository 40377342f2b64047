import { backStatuses, isEnded } from '@waybill/contract/ground/status/parcel-status'
import type { Parcel } from '@waybill/contract/parcels/parcels'

/**
 * The day on which the receiver can expect the delivery. It does not apply to a return, at the counter, or after a
 * failed attempt.
 */
export function findDeliveryDay(parcel: Pick<Parcel, 'status' | 'leg' | 'collectUntil' | 'expectedDate'>) {
  const isAtCounter = parcel.status === 'inbound' && parcel.collectUntil !== null
  const isOnItsWay = parcel.leg === 'outbound' && !isEnded(parcel.status) && !backStatuses.includes(parcel.status)
  return isOnItsWay && parcel.status !== 'fail-to-deliver' && !isAtCounter ? parcel.expectedDate : null
}
