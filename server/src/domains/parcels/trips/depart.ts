// A vehicle departs with everything that is loaded.
import type { TripDetail } from '@waybill/contract/parcels/transport/trips'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { mayDepart } from '../bags/loadable.ts'
import { departBags, findUnready, lockBagsWithParcels } from '../bags/travel.ts'
import { applyCount } from '../gunny/checks.ts'
import { collectionAfter } from '../self-collection/holding.ts'
import { transitionParcels } from '../transition.ts'
import {
  countDepartedParcels,
  countManifest,
  type LoadRow,
  listLoads,
  lockParcelsOfLoads,
  type TripRow,
  updateTripRow,
} from './queries.ts'
import { lockForEvent, readTrip } from './service.ts'

/** How many numbers an error names. */
const namedNumbers = 5

/** The two stations of a trip. */
export async function getTripStations(trx: Tx, trip: TripRow): Promise<{ from: Station; to: Station }> {
  const stations = await findStationsById(trx, [trip.from_station_id, trip.to_station_id])
  return { from: stations.get(trip.from_station_id) as Station, to: stations.get(trip.to_station_id) as Station }
}

/**
 * A vehicle departs: everything that is loaded departs in one transaction. Throws what `lockForEvent` throws;
 * trip_empty; trip_not_ready with the numbers of loads that may not depart, for example because they were scanned
 * elsewhere since; what a gunny's departure throws.
 */
export async function sendOff(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, sealNumber }: { version: number; sealNumber: string | null },
  idempotency: Idempotency,
): Promise<TripDetail> {
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const { trip, status } = await lockForEvent(trx, caller, id, version, 'departed')
    const loads = await listLoads(trx, trip)
    if (loads.length === 0) throw new AppError('trip_empty', { vars: { number: trip.number } })
    const stations = await getTripStations(trx, trip)
    await departGunnies(deps, trx, caller, loads, stations)
    await departParcels(deps, trx, caller, trip, loads, stations)
    await countDepartedParcels(trx, trip)
    await countManifest(trx, trip)
    await updateTripRow(trx, trip, { status, seal_number: sealNumber, departed_at: at })
    const detail = await readTrip(trx, id)
    await recordActivity(trx, {
      action: 'trips.departed',
      userId: caller.userId,
      subject: trip.number,
      detail: { loads: detail.loadCount, parcels: detail.parcelCount, toStationId: trip.to_station_id },
      at,
    })
    await idempotency.keep(trx, detail)
    return detail
  })
}

/** The parcels that are loaded individually or in bags, and the bags. Throws trip_not_ready. */
async function departParcels(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  trip: TripRow,
  loads: readonly LoadRow[],
  { from, to }: { from: Station; to: Station },
): Promise<void> {
  const inBags = await lockBagsWithParcels(
    trx,
    loads.flatMap(({ bag_id }) => bag_id ?? []),
  )
  const looseIds = new Set(loads.flatMap(({ parcel_id }) => parcel_id ?? []))
  const rows = await lockParcelsOfLoads(trx, [...looseIds, ...inBags.parcels.map(({ id }) => id)])
  const now = new Map(rows.map((row) => [row.id, row]))
  const lockedInBags = inBags.parcels.map((row) => ({ ...row, ...now.get(row.id) }))
  const unreadyParcels = rows.filter((row) => looseIds.has(row.id) && !mayDepart(row, caller, from.id))
  const unready = [
    ...unreadyParcels.map(({ tracking_number }) => tracking_number ?? ''),
    ...findUnready(inBags.bags, lockedInBags, caller, from.id),
  ]
  if (unready.length > 0) {
    const numbers = `${unready.slice(0, namedNumbers).join(', ')}${unready.length > namedNumbers ? ', …' : ''}`
    throw new AppError('trip_not_ready', { vars: { numbers }, details: { numbers: unready } })
  }
  await transitionParcels(
    deps,
    trx,
    rows,
    'departed',
    {
      actorId: caller.userId,
      stationId: from.id,
      nextStationId: to.id,
      place: from.city,
      detail: { trip: trip.number },
    },
    (row) => collectionAfter(deps, row, 'departed', from),
  )
  await departBags(trx, inBags.bags, to.id, deps.clock.now())
}

/** Gunnies depart by their seals, as if a station had counted them out. */
async function departGunnies(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  loads: readonly LoadRow[],
  { from, to }: { from: Station; to: Station },
): Promise<void> {
  const gunnies = loads.filter(({ kind }) => kind === 'gunny')
  gunnies.sort((one, other) => ((one.gunny_id ?? '') < (other.gunny_id ?? '') ? -1 : 1))
  for (const { gunny_id, seal_number } of gunnies) {
    const count = { event: 'departed', sealed: true, sealNumber: seal_number, numbers: [] } as const
    await applyCount(deps, trx, caller, gunny_id ?? '', { ...count, station: from, next: to })
  }
}
