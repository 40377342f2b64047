import type { Parcel } from '@waybill/contract/parcels/parcels'

/** Whether the way to the receiver is over, or the parcel is called back. */
export function hasEnded({ status }: Pick<Parcel, 'status'>): boolean {
  return ['completed', 'collected', 'recall', 'reverse_pickup', 'cancel', 'refunded'].includes(status)
}

/**
 * The day on which the receiver can expect the delivery. It does not apply to a return, at the counter, or after a
 * failed attempt.
 */
export function findDeliveryDay(parcel: Pick<Parcel, 'status' | 'leg' | 'collectUntil' | 'expectedDate'>) {
  const isAtCounter = parcel.status === 'inbound' && parcel.collectUntil !== null
  const isOpen = parcel.leg === 'outbound' && !hasEnded(parcel) && parcel.status !== 'fail-to-deliver' && !isAtCounter
  return isOpen ? parcel.expectedDate : null
}
