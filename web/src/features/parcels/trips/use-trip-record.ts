import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { TripDetail, TripLoad } from '@waybill/contract/parcels/transport/trips'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ssccPattern } from '../bags/container-codes.ts'
import { mergeScans, type TripChange } from './merge-scans.ts'

/** How often the trip is read again while a colleague changes it, too. */
const catchUpMs = 5000

export type TripRecord = {
  trip: TripDetail
  /** The newest version, also between two renders: the next scan may be sent before the screen shows the last one. */
  latest: () => TripDetail
  /** Takes over a whole answer. */
  take: (changedTrip: TripDetail) => void
  /** Takes over what a scan changed. */
  apply: (change: TripChange) => void
  /** Reads the trip again after a conflict. */
  reload: () => void
}

type Local = { read: TripDetail; changes: readonly TripChange[] }

/**
 * A trip on the screen: as it was read, with the scans made here since. When others change it as well, it is read again
 * after a while, and not with each scan: a trip may have thousands of loads.
 */
export function useTripRecord(fetched: TripDetail, reload: () => void): TripRecord {
  const [local, setLocal] = useState<Local>({ read: fetched, changes: [] })
  const current = withFetched(local, fetched)
  const { trip, isComplete } = mergeScans(current.read, current.changes)
  const newest = useRef(current)
  newest.current = current
  const readAgain = useEffectEvent(reload)
  useEffect(() => {
    if (isComplete) return
    const timer = setInterval(() => readAgain(), catchUpMs)
    return () => clearInterval(timer)
  }, [isComplete])

  function set(next: Local) {
    newest.current = next
    setLocal(next)
  }
  return {
    trip,
    latest: () => mergeScans(newest.current.read, newest.current.changes).trip,
    take: (changedTrip) => set({ read: changedTrip, changes: [] }),
    apply: (change) => set({ ...newest.current, changes: [...newest.current.changes, change] }),
    reload,
  }
}

/** The trip with the fetched response, unless that is older. One of the same version may have later arrivals. */
function withFetched(local: Local, fetched: TripDetail): Local {
  if (fetched === local.read || fetched.version < local.read.version) return local
  return { read: fetched, changes: local.changes.filter(({ trip }) => trip.version > fetched.version) }
}

/** Whether a scanned code is that of a load. */
export function isLoad(code: string, { number, sscc }: Pick<TripLoad, 'number' | 'sscc'>): boolean {
  const scanned = normalizeTrackingNumber(code)
  return scanned === number || (sscc !== null && ssccPattern.exec(scanned)?.[1] === sscc)
}

/** What is still to come: loads, and opened bags with parcels that have not arrived one by one. */
export function listToCome({ loads }: Pick<TripDetail, 'loads'>): TripLoad[] {
  return loads.filter(({ state, missing }) => state === 'loaded' || (state === 'arrived' && missing.length > 0))
}
