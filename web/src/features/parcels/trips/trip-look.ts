import type { Look } from '@waybill/contract/ground/status/status-look'
import type { LoadState, SealReading, TripStatus } from '@waybill/contract/parcels/transport/trips'

/** Colour and icon of a trip's status. */
export const tripLooks: Record<TripStatus, Look> = {
  loading: { tone: 'waiting', icon: 'building' },
  under_way: { tone: 'moving', icon: 'truck' },
  unloading: { tone: 'waiting', icon: 'sort' },
  closed: { tone: 'success', icon: 'check' },
  cancelled: { tone: 'neutral', icon: 'cross' },
}

/** Colour and icon of what became of a load. */
export const loadLooks: Record<LoadState, Look> = {
  loaded: { tone: 'moving', icon: 'truck' },
  arrived: { tone: 'success', icon: 'check' },
  missing: { tone: 'danger', icon: 'alert' },
  found: { tone: 'success', icon: 'check' },
  extra: { tone: 'warning', icon: 'alert' },
}

/** Colour and icon of the reading of a vehicle's seal. */
export const sealLooks: Record<SealReading, Look> = {
  intact: { tone: 'success', icon: 'check' },
  broken: { tone: 'danger', icon: 'alert' },
  none: { tone: 'neutral', icon: 'cross' },
}
