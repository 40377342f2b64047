import type { TrackingStatus } from '../enums/parcel-enums.ts'

/**
 * Whether a journey has ended, by the status that the public reads. Not in `parcel-status.ts`: the public tracking page
 * needs nothing else of it.
 */
export const isTrackingEnded = (status: TrackingStatus) =>
  status === 'delivered' || status === 'lost' || status === 'cancelled'
