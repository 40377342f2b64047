type Scan = { id: string; trackingNumber: string }

/** The ids of the newest scan of each parcel, which alone can be undone. `scans`: newest first. */
export function findNewestScans(scans: readonly Scan[]): ReadonlySet<string> {
  const newest = new Map<string, string>()
  for (const { id, trackingNumber } of scans) if (!newest.has(trackingNumber)) newest.set(trackingNumber, id)
  return new Set(newest.values())
}
