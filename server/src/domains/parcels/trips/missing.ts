// What is missing from all trips: work for the two stations of each.
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import { undoSeconds } from '@waybill/contract/parcels/scanning'
import type { listMissingLoads } from '@waybill/contract/parcels/transport/trips'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { later, seconds } from '../../../lib/clock.ts'
import { accountNames } from '../../accounts/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { presentStation } from '../bags/service.ts'
import { requireOwnStation } from '../custody/service.ts'
import { endMissingLoads, listMissingRows } from './queries-missing.ts'

/** A page of what is missing from trips, the latest first. Throws task_other_station. */
export async function readMissingLoads(
  deps: Deps,
  caller: StaffCaller,
  query: QueryOf<typeof listMissingLoads>,
): Promise<ResponseOf<typeof listMissingLoads>> {
  const { offset, limit } = query
  const stationId = query.stationId ?? caller.stationId
  requireOwnStation(caller, stationId)
  const { rows, total } = await listMissingRows(deps.db, {
    stationId,
    search: query.search || null,
    descending: parseSort(query.sort)[0]?.descending ?? true,
    offset,
    limit,
  })
  const [stations, accounts] = await Promise.all([
    findStationsById(deps.db, [...new Set(rows.flatMap((row) => [row.from_station_id, row.to_station_id]))]),
    accountNames(deps.db, [...new Set(rows.flatMap(({ account_id }) => account_id ?? []))]),
  ])
  const items = rows.map((row) => ({
    loadId: row.load_id,
    kind: row.kind,
    number: row.number,
    tripId: row.trip_id,
    tripNumber: row.trip_number,
    fromStation: presentStation(stations, row.from_station_id),
    toStation: presentStation(stations, row.to_station_id),
    missingSince: row.missing_at.toISOString(),
    accountName: row.account_id && (accounts.get(row.account_id) ?? '–'),
    parcelCount: row.parcel_count,
  }))
  return { items, total, offset, limit }
}

/** Twice the time to undo a scan: an undo that began in time may not be committed yet. */
const undoTime = 2 * seconds(undoSeconds)
/** Loads per statement, so that no lock is held long. */
const batchSize = 1000

/** Part of the job `housekeeping:sweep`: records which missing loads have ended for good. */
export async function sweepMissingLoads({ db, clock }: Deps): Promise<void> {
  const now = clock.now()
  const batch = { now, undoable: later(now, -undoTime), limit: batchSize }
  while ((await endMissingLoads(db, batch)) === batchSize);
}
