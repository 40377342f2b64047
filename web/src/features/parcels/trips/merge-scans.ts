import type { Trip, TripDetail, TripLoad } from '@waybill/contract/parcels/transport/trips'

/** A change by a scan of this screen: the trip after it, and the load that it added or changed, or took off. */
export type TripChange = { trip: Trip } & ({ load: TripLoad; changed: boolean } | { removedId: string })

/** The trip without its loads. */
function toFacts({ loads: _, ...facts }: TripDetail): Trip {
  return facts
}

/**
 * A trip as it was read, with the scans that followed. Each change adds 1 to the version: a version that no scan of
 * this screen has made is the change of a colleague, so `isComplete` is false until the trip is read again.
 */
export function mergeScans(
  read: TripDetail,
  changes: readonly TripChange[],
): { trip: TripDetail; isComplete: boolean } {
  const later = changes.filter(({ trip }) => trip.version > read.version)
  const loads = new Map(read.loads.map((load) => [load.id, load]))
  const added: string[] = []
  for (const change of later) {
    if ('removedId' in change) loads.delete(change.removedId)
    else {
      if (!loads.has(change.load.id)) added.push(change.load.id)
      loads.set(change.load.id, change.load)
    }
  }
  const facts = later.at(-1)?.trip ?? toFacts(read)
  const ownVersions = new Set(
    later.filter((change) => 'removedId' in change || change.changed).map(({ trip }) => trip.version),
  )
  // Those loaded last come first.
  const first = [...new Set(added)].reverse().flatMap((id) => loads.get(id) ?? [])
  const isAdded = new Set(added)
  const rest = [...loads.values()].filter(({ id }) => !isAdded.has(id))
  return {
    trip: { ...facts, loads: [...first, ...rest] },
    isComplete: facts.version - read.version === ownVersions.size,
  }
}
