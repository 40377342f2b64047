// The statuses of a trip, and what became of its loads. Pure.
import type { LoadState, SealReading, TripStatus } from '@waybill/contract/parcels/transport/trips'

export type TripEvent = 'departed' | 'cancelled' | 'arrived' | 'closed'

/** All transitions of a trip; anything else is a 409 that names the current status. */
export const tripTransitions: readonly { event: TripEvent; from: TripStatus; to: TripStatus }[] = [
  { event: 'departed', from: 'loading', to: 'under_way' },
  { event: 'cancelled', from: 'loading', to: 'cancelled' },
  { event: 'arrived', from: 'under_way', to: 'unloading' },
  { event: 'closed', from: 'unloading', to: 'closed' },
]

/** The status after an event; null if there is no such transition. */
export function nextTripStatus(status: TripStatus, event: TripEvent): TripStatus | null {
  return tripTransitions.find((line) => line.event === event && line.from === status)?.to ?? null
}

export type LoadFacts = {
  tripStatus: TripStatus
  /** Whether it is on the manifest. */
  onManifest: boolean
  unloaded: boolean
  /** Whether the trip was closed without it. */
  wasMissing: boolean
  /** Whether its custody says that it is on the way to the trip's destination, or it was declared lost. */
  onTheWay: boolean
  /** Whether another station has it: it was unloaded at a wrong one. */
  elsewhere: boolean
  /** The parcels of an opened bag that are on the way. */
  missingParcels: number
}

/** What became of a load. A parcel that is scanned individually at the destination counts as arrived. */
export function loadState(load: LoadFacts): LoadState {
  if (!load.onManifest) return 'extra'
  if (load.wasMissing) return load.onTheWay || load.missingParcels > 0 ? 'missing' : 'found'
  if (load.tripStatus === 'loading' || load.tripStatus === 'cancelled') return 'loaded'
  // Whatever has become of it since: when the trip was closed, it was not missing.
  if (load.tripStatus === 'closed') return 'arrived'
  return load.unloaded || !(load.onTheWay || load.elsewhere) ? 'arrived' : 'loaded'
}

/** Compares the seal on arrival with that of the departure. */
export function readSeal(departed: string | null, arrived: string | null): SealReading {
  if (departed === null && arrived === null) return 'none'
  return departed === arrived ? 'intact' : 'broken'
}
