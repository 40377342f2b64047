// Trips as staff see them, and what all use cases of trips share.
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import type { StaffParcel } from '@waybill/contract/parcels/scanning'
import type { Misroute } from '@waybill/contract/parcels/transport/misroute'
import {
  type listTrips,
  type Trip,
  type TripDetail,
  type TripLoad,
  type TripScan,
  tripStatusLabels,
} from '@waybill/contract/parcels/transport/trips'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { findMisroutes, type Routing } from '../bags/misroutes.ts'
import { presentStation } from '../bags/service.ts'
import { findHoldingBag } from '../bags/travel.ts'
import { requireOwnStation } from '../custody/service.ts'
import type { ParcelRow } from '../queries.ts'
import { findLockedTrip, findTrip, listTripRows, type TripRow } from './queries.ts'
import { findLoadRow, findTripOfParcel, type LoadRow, listLoads } from './queries-loads.ts'
import { loadState, nextTripStatus, type TripEvent } from './status.ts'

/** The letters before the digits of a trip's number. */
export const tripPrefix = 'TR'

/** A 409 with the trip's current status. */
function tripForbidden(trip: TripRow, event: string): AppError {
  return new AppError('trip_state', {
    vars: { number: trip.number },
    labels: { status: tripStatusLabels[trip.status] },
    details: { status: trip.status, event, tripId: trip.id, number: trip.number },
  })
}

/**
 * A locked trip in a status, at a station of the caller: where it departs, or where it arrives. Throws not_found,
 * task_other_station, trip_state.
 */
export async function lockTrip(
  trx: DbOrTx,
  caller: StaffCaller,
  id: string,
  at: 'loading' | 'unloading',
): Promise<TripRow> {
  const trip = await findLockedTrip(trx, id)
  if (!trip) throw new AppError('not_found')
  requireOwnStation(caller, at === 'loading' ? trip.from_station_id : trip.to_station_id)
  if (trip.status !== at) throw tripForbidden(trip, at === 'loading' ? 'loaded' : 'unloaded')
  return trip
}

/**
 * A locked trip with its status after an event. Throws not_found, task_other_station, trip_state, version_conflict.
 */
export async function lockForEvent(
  trx: DbOrTx,
  caller: StaffCaller,
  id: string,
  version: number,
  event: TripEvent,
): Promise<{ trip: TripRow; status: TripRow['status'] }> {
  const trip = await findLockedTrip(trx, id)
  if (!trip) throw new AppError('not_found')
  const isAtStart = event === 'departed' || event === 'cancelled'
  requireOwnStation(caller, isAtStart ? trip.from_station_id : trip.to_station_id)
  const status = nextTripStatus(trip.status, event)
  if (!status) throw tripForbidden(trip, event)
  if (trip.version !== version) throw new AppError('version_conflict')
  return { trip, status }
}

function presentTrip(row: TripRow, stations: ReadonlyMap<string, Station>): Trip {
  return {
    id: row.id,
    version: row.version,
    number: row.number,
    status: row.status,
    fromStation: presentStation(stations, row.from_station_id),
    toStation: presentStation(stations, row.to_station_id),
    vehicle: row.vehicle,
    driverName: row.driver_name,
    sealNumber: row.seal_number,
    seal: row.seal,
    loadCount: row.load_count,
    parcelCount: row.parcel_count,
    weightGrams: row.weight_grams,
    missingCount: row.missing_count,
    extraCount: row.extra_count,
    departedAt: row.departed_at?.toISOString() ?? null,
    arrivedAt: row.arrived_at?.toISOString() ?? null,
    closedAt: row.closed_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

/** What became of a load of a trip. */
export function findLoadState(trip: TripRow, load: LoadRow) {
  return loadState({
    tripStatus: trip.status,
    onManifest: load.loaded_at !== null,
    unloaded: load.unloaded_at !== null,
    wasMissing: load.missing_at !== null,
    onTheWay: load.on_the_way,
    elsewhere: load.elsewhere,
    missingParcels: load.missing.length,
  })
}

/** Where a load goes in the end: the station of a bag, or the receiver's place of a parcel. */
function findDestination({ to_station_id, parcel }: LoadRow, stations: ReadonlyMap<string, Station>): string | null {
  if (to_station_id) return stations.get(to_station_id)?.name ?? null
  return parcel?.receiver ? `${parcel.receiver.postcode} ${parcel.receiver.city}` : null
}

/** The routing of a load; null for a gunny: its parcels go to many stations, and the next one that sorts empties it. */
function toRouting({ kind, parcel, to_station_id }: LoadRow): Routing | null {
  if (kind === 'bag' && to_station_id) return { kind, toStationId: to_station_id }
  return kind === 'parcel' && parcel ? { kind, parcel } : null
}

/** The misroutes of loads, in their order. There are no warnings once the trip has departed. */
async function listMisroutes(deps: Deps, trip: TripRow, loads: readonly LoadRow[]): Promise<(Misroute | null)[]> {
  if (trip.status !== 'loading') return []
  const way = { fromId: trip.from_station_id, toId: trip.to_station_id }
  return findMisroutes(deps.db, loads.map(toRouting), way)
}

async function presentLoads(
  db: DbOrTx,
  trip: TripRow,
  loads: readonly LoadRow[],
  warnings: readonly (Misroute | null)[],
): Promise<{ trip: Trip; loads: TripLoad[] }> {
  const stationIds = loads.flatMap(({ to_station_id }) => to_station_id ?? [])
  const stations = await findStationsById(db, [...new Set([trip.from_station_id, trip.to_station_id, ...stationIds])])
  const presented = loads.map((load, n) => ({
    id: load.id,
    kind: load.kind,
    number: load.number,
    sscc: load.sscc,
    sealNumber: load.seal_number,
    to: findDestination(load, stations),
    parcelCount: load.parcel_count,
    weightGrams: load.weight_grams,
    state: findLoadState(trip, load),
    missing: load.missing,
    misroute: warnings[n] ?? null,
  }))
  return { trip: presentTrip(trip, stations), loads: presented }
}

/** A trip. Throws not_found. */
async function requireTrip(db: DbOrTx, id: string): Promise<TripRow> {
  const row = await findTrip(db, id)
  if (!row) throw new AppError('not_found')
  return row
}

/** A trip with its loads, in a transaction: without warnings about them. Throws not_found. */
export async function readTrip(db: DbOrTx, id: string): Promise<TripDetail> {
  const row = await requireTrip(db, id)
  const { trip, loads } = await presentLoads(db, row, await listLoads(db, row), [])
  return { ...trip, loads }
}

/** A trip with its loads, and with warnings of misroutes. Throws not_found. */
export async function readTripWithWarnings(deps: Deps, id: string): Promise<TripDetail> {
  const row = await requireTrip(deps.db, id)
  const rows = await listLoads(deps.db, row)
  const { trip, loads } = await presentLoads(deps.db, row, rows, await listMisroutes(deps, row, rows))
  return { ...trip, loads }
}

/** A trip without its loads. Throws not_found. */
export async function readTripWithoutLoads(db: DbOrTx, id: string): Promise<Trip> {
  const row = await requireTrip(db, id)
  return (await presentLoads(db, row, [], [])).trip
}

/** A trip with the load that a scan changed. */
export type ScanRows = { trip: TripRow; load: LoadRow; changed: boolean }

/** What a scan changed, read in its transaction. Throws not_found. */
export async function readScan(trx: DbOrTx, tripId: string, loadId: string, changed: boolean): Promise<ScanRows> {
  const trip = await requireTrip(trx, tripId)
  const load = await findLoadRow(trx, tripId, loadId)
  if (!load) throw new AppError('not_found')
  return { trip, load, changed }
}

/** The answer to a scan. */
export async function presentScan(
  db: DbOrTx,
  { trip, load, changed }: ScanRows,
  warnings: readonly (Misroute | null)[] = [],
): Promise<TripScan> {
  const answer = await presentLoads(db, trip, [load], warnings)
  return { trip: answer.trip, load: answer.loads[0] as TripLoad, changed }
}

/** The answer to a scan after its transaction, with a warning if the load is probably misrouted. */
export async function presentScanWithWarning(deps: Deps, scan: ScanRows): Promise<TripScan> {
  return presentScan(deps.db, scan, await listMisroutes(deps, scan.trip, [scan.load]))
}

/** The bag that a parcel is in, and the trip on which it is loaded, travels, or was missing. */
export async function findTransport(db: DbOrTx, parcel: ParcelRow): Promise<StaffParcel['transport']> {
  const bag = await findHoldingBag(db, parcel.id)
  return { bagNumber: bag?.number ?? null, trip: await findTripOfParcel(db, parcel, bag?.id ?? null) }
}

/** A page of trips, the latest first. */
export async function readTrips(deps: Deps, query: QueryOf<typeof listTrips>): Promise<ResponseOf<typeof listTrips>> {
  const { offset, limit, status } = query
  const { rows, counts } = await listTripRows(deps.db, {
    status: status ?? null,
    stationId: query.stationId ?? null,
    search: query.search || null,
    descending: parseSort(query.sort)[0]?.descending ?? true,
    offset,
    limit,
  })
  const ids = rows.flatMap((row) => [row.from_station_id, row.to_station_id])
  const stations = await findStationsById(deps.db, [...new Set(ids)])
  const items = rows.map((row) => presentTrip(row, stations))
  return { items, total: counts[status ?? 'all'], offset, limit, counts }
}
