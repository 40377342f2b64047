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
import { lockParcels } from '../bags/queries.ts'
import { departBags, findUnready, lockBagsWithParcels } from '../bags/travel.ts'
import { applyCount } from '../gunny/checks.ts'
import { collectionAfter } from '../self-collection/holding.ts'
import { transitionParcels } from '../transition.ts'
import { countManifest, type TripRow, updateTripRow } from './queries.ts'
import { countDepartedParcels, type LoadRow, listLoads } from './queries-loads.ts'
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
 * elsewhere since.
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
    const unreadyGunnies = await departGunnies(deps, trx, caller, trip, loads, stations)
    const { rows, inBags, unready } = await findDeparting(trx, caller, loads, stations.from)
    requireReady([...unreadyGunnies, ...unready])
    await departParcels(deps, trx, caller, trip, rows, inBags, stations)
    await updateTripRow(trx, trip, { status, seal_number: sealNumber, departed_at: at })
    await countDepartedParcels(trx, trip)
    await countManifest(trx, trip)
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

/** Throws trip_not_ready with the numbers of loads that may not depart. */
function requireReady(unready: readonly string[]): void {
  if (unready.length === 0) return
  const numbers = `${unready.slice(0, namedNumbers).join(', ')}${unready.length > namedNumbers ? ', …' : ''}`
  throw new AppError('trip_not_ready', { vars: { numbers }, details: { numbers: unready } })
}

/** The locked parcels that are loaded individually or in bags, the bags, and the numbers that may not depart. */
async function findDeparting(trx: Tx, caller: StaffCaller, loads: readonly LoadRow[], from: Station) {
  const inBags = await lockBagsWithParcels(
    trx,
    loads.flatMap(({ bag_id }) => bag_id ?? []),
  )
  const looseIds = new Set(loads.flatMap(({ parcel_id }) => parcel_id ?? []))
  const rows = await lockParcels(trx, [...looseIds, ...inBags.parcels.map(({ id }) => id)])
  const now = new Map(rows.map((row) => [row.id, row]))
  const lockedInBags = inBags.parcels.map((row) => ({ ...row, ...now.get(row.id) }))
  const unreadyParcels = rows.filter((row) => looseIds.has(row.id) && !mayDepart(row, caller, from.id))
  const unready = [
    ...unreadyParcels.map(({ tracking_number }) => tracking_number ?? ''),
    ...findUnready(inBags.bags, lockedInBags, caller, from.id),
  ]
  return { rows, inBags, unready }
}

type Departing = Awaited<ReturnType<typeof findDeparting>>

/** Parcels and bags depart. The timeline of a parcel names its bag, because its custody does not tell it. */
async function departParcels(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  trip: TripRow,
  rows: Departing['rows'],
  { bags, parcels }: Departing['inBags'],
  { from, to }: { from: Station; to: Station },
): Promise<void> {
  const numberOfBag = new Map(bags.map(({ id, number }) => [id, number]))
  const bagOfParcel = new Map(parcels.map(({ id, bag_id }) => [id, numberOfBag.get(bag_id)]))
  for (const [bag, group] of Map.groupBy(rows, ({ id }) => bagOfParcel.get(id))) {
    const by = {
      actorId: caller.userId,
      stationId: from.id,
      nextStationId: to.id,
      place: from.city,
      detail: { trip: trip.number, ...(bag ? { bag } : {}) },
    }
    await transitionParcels(deps, trx, group, 'departed', by, (row) => collectionAfter(deps, row, 'departed', from))
  }
  await departBags(trx, bags, to.id, deps.clock.now())
}

/** What the count of a gunny throws if it may not depart; all before it writes anything. */
const unreadyCodes = new Set(['gunny_unknown', 'gunny_state', 'gunny_elsewhere', 'seal_differs', 'validation'])

/**
 * Gunnies depart by their seals, as if a station had counted them out. Returns the numbers of those that may not: they
 * were opened, or all their parcels have left them.
 */
async function departGunnies(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  trip: TripRow,
  loads: readonly LoadRow[],
  { from, to }: { from: Station; to: Station },
): Promise<string[]> {
  const unready: string[] = []
  const gunnies = loads.filter(({ kind }) => kind === 'gunny')
  gunnies.sort((one, other) => ((one.gunny_id ?? '') < (other.gunny_id ?? '') ? -1 : 1))
  for (const { gunny_id, number, seal_number } of gunnies) {
    const count = { event: 'departed', sealed: true, sealNumber: seal_number, numbers: [], trip: trip.number } as const
    try {
      await applyCount(deps, trx, caller, gunny_id ?? '', { ...count, station: from, next: to })
    } catch (error) {
      if (!(error instanceof AppError) || !unreadyCodes.has(error.code)) throw error
      unready.push(number)
    }
  }
  return unready
}
