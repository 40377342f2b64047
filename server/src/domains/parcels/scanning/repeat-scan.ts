/**
 * The same scan twice, and scans that are sent later than they were made
 * (docs/decisions/0050-scans-wait-in-the-browser.md).
 */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { ScanEvent, Scanned, scan as scanEndpoint } from '@waybill/contract/parcels/scanning'
import type { DbOrTx } from '../../../db/pool.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { days, later } from '../../../lib/clock.ts'
import { namesOfStaff } from '../../accounts/service.ts'
import type { Station } from '../../stations/queries.ts'
import type { ParcelRow } from '../queries.ts'
import { scanOfEvent } from '../status.ts'
import { findLastScan } from '../timeline/queries.ts'
import { undoUntil } from './undo.ts'

/**
 * Scans that say nothing but the event and the place. A second proof or reason may differ from the first: it is
 * refused.
 */
const repeatable: readonly ScanEvent[] = ['picked_up', 'accepted', 'sorted', 'departed', 'arrived', 'out_for_delivery']

/** A scanner whose clock is further off than this is not believed. */
const oldestScan = days(7)

/**
 * When a scan was made: what the scanner says, but never later than now and never before what the parcel's timeline
 * says already.
 */
export function scanTime(
  said: string | undefined,
  row: Pick<ParcelRow, 'created_at' | 'last_event_at'>,
  now: Date,
): Date {
  const at = said === undefined ? now : new Date(said)
  if (at >= now || at < later(now, -oldestScan)) return now
  const earliest = later(row.last_event_at ?? row.created_at, 1)
  return new Date(Math.min(Math.max(+at, +earliest), +now))
}

/**
 * The scan that this one repeats: the parcel's latest event is the same one, at the same station (without a station: by
 * the same person). Null: it is none.
 */
export async function repeatedScan(
  trx: DbOrTx,
  caller: StaffCaller,
  row: ParcelRow,
  body: BodyOf<typeof scanEndpoint>,
  station: Station | null,
): Promise<Scanned | null> {
  if (!repeatable.includes(body.event)) return null
  const last = await findLastScan(trx, row.id, row.created_at)
  if (!last || last.from_status === null || scanOfEvent(last.event) !== body.event) return null
  const byYou = last.actor_id === caller.userId
  if (station === null ? !byYou || last.station_id !== null : last.station_id !== station.id) return null
  if (body.event === 'departed' && last.next_station_id !== (body.nextStationId ?? null)) return null
  const names = last.actor_id === null || byYou ? null : await namesOfStaff(trx, [last.actor_id])
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
    // Only whoever made a scan may take it back.
    undoUntil: byYou
      ? (undoUntil(last.event, last.at, row.last_event_at, last.recorded_at ?? last.at)?.toISOString() ?? null)
      : null,
    repeated: { byYou, byName: names?.get(last.actor_id ?? '') ?? null },
  }
}
