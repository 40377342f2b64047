import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { getPickupRequest } from '@waybill/contract/pickups/pickups'
import { useCall } from '../../lib/query.ts'

type State = Pick<ParcelDetail, 'status' | 'pickupRequestId' | 'returnPickupId'>

/**
 * The pickup that a parcel waits for, at the sender's door or, for a return, at the receiver's. `isMissing`: no rider
 * comes, because it failed, was cancelled, or was never booked. Until the pickup is loaded, this is false.
 */
export function useAwaitedPickup({ status, pickupRequestId, returnPickupId }: State) {
  const isReturn = status === 'reverse_pickup'
  const isWaiting = isReturn || status === 'pending_pickup'
  const id = isReturn ? returnPickupId : pickupRequestId
  const { data } = useCall(getPickupRequest, { params: { id: id ?? '' } }, { enabled: isWaiting && id !== null })
  const comes = data !== undefined && !data.cancelledAt && data.status !== 'failed'
  return { pickup: data, comes, isMissing: isWaiting && !comes && (id === null || data !== undefined) }
}
