// Scans that are repeated, and scans that are sent later than they were made
// (docs/decisions/0050-scans-wait-in-the-browser.md).
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { ScanEvent, ScanResult, scan as scanEndpoint } from '@waybill/contract/parcels/scanning'
import type { DbOrTx } from '../../../db/pool.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { days, later } from '../../../lib/clock.ts'
import { findStaffNames } from '../../accounts/service.ts'
import type { Station } from '../../stations/queries.ts'
import type { ParcelRow } from '../queries.ts'
import { toScanEvent } from '../status.ts'
import { findLastScan } from '../timeline/queries.ts'
import { undoUntil } from './undo.ts'

/** Scans that may be repeated. A second proof or reason might differ from the first, so it is refused. */
const repeatable: readonly ScanEvent[] = ['picked_up', 'accepted', 'sorted', 'departed', 'arrived', 'out_for_delivery']

/** Older times are rejected: the scanner's clock is wrong. */
const oldestScan = days(7)

/** The time of a scan: the scanner's, but never in the future and never before the latest timeline entry. */
export function scanTime(
  scannedAt: string | undefined,
  row: Pick<ParcelRow, 'created_at' | 'last_event_at'>,
  now: Date,
): Date {
  const at = scannedAt === undefined ? now : new Date(scannedAt)
  if (at >= now || at < later(now, -oldestScan)) return now
  const earliest = later(row.last_event_at ?? row.created_at, 1)
  return new Date(Math.min(Math.max(+at, +earliest), +now))
}

/**
 * The scan that this one repeats: the parcel's latest event is the same, at the same station, or without a station by
 * the same person. Null: it repeats none.
 */
export async function repeatedScan(
  trx: DbOrTx,
  caller: StaffCaller,
  row: ParcelRow,
  body: BodyOf<typeof scanEndpoint>,
  station: Station | null,
): Promise<ScanResult | null> {
  if (!repeatable.includes(body.event)) return null
  const last = await findLastScan(trx, row.id, row.created_at)
  if (!last || last.from_status === null || toScanEvent(last.event) !== body.event) return null
  const byYou = last.actor_id === caller.userId
  if (station === null ? !byYou || last.station_id !== null : last.station_id !== station.id) return null
  if (body.event === 'departed' && last.next_station_id !== (body.nextStationId ?? null)) return null
  const names = last.actor_id === null || byYou ? null : await findStaffNames(trx, [last.actor_id])
  return {
    id: last.id,
    at: last.at.toISOString(),
    trackingNumber: row.tracking_number as string,
    event: body.event,
    fromStatus: last.from_status,
    toStatus: last.status,
    stationId: last.station_id,
    place: last.place,
    rightStation: last.right_station,
    // Only the person who made a scan may undo it. The count of a gunny cannot be undone.
    undoUntil:
      byYou && last.restorable
        ? (undoUntil(last.event, last.at, row.last_event_at, last.recorded_at ?? last.at)?.toISOString() ?? null)
        : null,
    repeated: { byYou, byName: names?.get(last.actor_id ?? '') ?? null },
  }
}
