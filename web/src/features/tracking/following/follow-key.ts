import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import { local } from '../../../lib/browser/storage.ts'

/** Where a browser that follows a parcel keeps the token that ends it. */
export const followKey = (number: string) => `follow:${number}`

/** Nothing is left to follow. */
export const hasEnded = ({ trackingStatus }: PublicTracking) => ['delivered', 'cancelled'].includes(trackingStatus)

/** Whether this browser has followed the parcel, which may have ended elsewhere. */
export function isFollowedHere(parcel: PublicTracking): boolean {
  return !hasEnded(parcel) && local.get(followKey(parcel.trackingNumber)) !== null
}
