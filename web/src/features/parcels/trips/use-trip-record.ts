import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { TripDetail, TripLoad } from '@waybill/contract/parcels/transport/trips'
import { useRef, useState } from 'react'
import { ssccPattern } from '../bags/container-codes.ts'

export type TripRecord = {
  trip: TripDetail
  /** The newest version, also between two renders: the next scan may be sent before the screen shows the last one. */
  latest: () => TripDetail
  /** Takes over the answer of a change. */
  take: (changedTrip: TripDetail) => void
  /** Reads the trip again after a conflict. */
  reload: () => void
}

/**
 * A trip on the screen with the changes made here, until it is fetched again. The version alone does not tell which is
 * newer: a parcel of an opened bag arrives without a change of the trip itself.
 */
export function useTripRecord(fetched: TripDetail, reload: () => void): TripRecord {
  const [change, setChange] = useState({ trip: fetched, basis: fetched })
  const isNewer = change.basis === fetched || change.trip.version > fetched.version
  const trip = isNewer ? change.trip : fetched
  const newest = useRef(trip)
  newest.current = trip
  const basis = useRef(fetched)
  basis.current = fetched
  return {
    trip,
    latest: () => newest.current,
    take: (changedTrip) => {
      newest.current = changedTrip
      setChange({ trip: changedTrip, basis: basis.current })
    },
    reload,
  }
}

/** Whether a scanned code is that of a load. */
export function isLoad(code: string, { number, sscc }: Pick<TripLoad, 'number' | 'sscc'>): boolean {
  const scanned = normalizeTrackingNumber(code)
  return scanned === number || (sscc !== null && ssccPattern.exec(scanned)?.[1] === sscc)
}

/** Whether two seals are the same, whatever their case and separators: people type what they read. */
export function isSameSeal(one: string, other: string): boolean {
  return normalizeTrackingNumber(one) === normalizeTrackingNumber(other)
}

/** The load that a scan added or changed; null: it changed none, because it had been scanned before. */
export function findChange(before: TripDetail, after: TripDetail, code: string): TripLoad | null {
  const earlierLoads = new Map(before.loads.map((load) => [load.id, load]))
  const changes = after.loads.filter((load) => {
    const earlier = earlierLoads.get(load.id)
    return !earlier || earlier.state !== load.state || earlier.missing.length !== load.missing.length
  })
  // A colleague may have changed others meanwhile. The number of another carrier is that of no load.
  return changes.find((load) => isLoad(code, load)) ?? changes[0] ?? null
}

/** What is still to come: loads, and opened bags with parcels that have not arrived one by one. */
export function listToCome({ loads }: Pick<TripDetail, 'loads'>): TripLoad[] {
  return loads.filter(({ state, missing }) => state === 'loaded' || (state === 'arrived' && missing.length > 0))
}
