// A vehicle arrives, and is unloaded: what was expected is compared with what is scanned.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { StaffGunny } from '@waybill/contract/parcels/gunny'
import type { TripDetail, TripScan, unloadTrip } from '@waybill/contract/parcels/transport/trips'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { type Arrival, arriveBag, arriveParcels } from '../bags/arrive.ts'
import { lockNumberedParcel } from '../bags/loadable.ts'
import { requireCustody, staffScanner } from '../custody/service.ts'
import { applyCount } from '../gunny/checks.ts'
import { getParcelState, nextParcelState } from '../status.ts'
import { transitionForbidden } from '../transition.ts'
import { getTripStations } from './depart.ts'
import { type CodeReading, nothingLoaded, readLoadCode, type ScannedLoad, toParcelLoad } from './load.ts'
import { type TripRow, updateTripRow } from './queries.ts'
import { findLoad, findOpenedBagLoad, insertLoad, listLoads, markMissing, markUnloaded } from './queries-loads.ts'
import { findLoadState, lockForEvent, lockTrip, presentScan, readScan, readTrip } from './service.ts'
import { readSeal } from './status.ts'

type UnloadBody = BodyOf<typeof unloadTrip>
type Unloading = Omit<Arrival, 'trip'> & { trip: TripRow }
const toArrival = (unloading: Unloading): Arrival => ({ ...unloading, trip: unloading.trip.number })

/** The vehicle arrives; its seal is compared with that of the departure. Throws what `lockForEvent` throws. */
export async function receiveTrip(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, sealNumber }: { version: number; sealNumber: string | null },
  idempotency: Idempotency,
): Promise<TripDetail> {
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const { trip, status } = await lockForEvent(trx, caller, id, version, 'arrived')
    const seal = readSeal(trip.seal_number, sealNumber)
    await updateTripRow(trx, trip, { status, seal, arrived_at: at })
    await recordActivity(trx, {
      action: 'trips.arrived',
      level: seal === 'broken' ? 'WARNING' : 'INFO',
      userId: caller.userId,
      subject: trip.number,
      detail: { seal, sealNumber },
      at,
    })
    const detail = await readTrip(trx, id)
    await idempotency.keep(trx, detail)
    return detail
  })
}

/** A bag arrives. Without its seal it is opened, and its parcels are scanned one by one. */
async function unloadBag(unloading: Unloading, bagId: string, body: UnloadBody): Promise<ScannedLoad> {
  const { parcels } = await arriveBag(toArrival(unloading), bagId, body)
  const weight_grams = parcels.reduce((sum, row) => sum + (row.actual_grams ?? row.weight_grams ?? 0), 0)
  return { ...nothingLoaded, kind: 'bag', bag_id: bagId, parcel_count: parcels.length, weight_grams }
}

/** A gunny arrives by its seal, as if the station had counted it in. */
async function unloadGunny(unloading: Unloading, gunny: StaffGunny, body: UnloadBody): Promise<ScannedLoad> {
  const { deps, trx, caller, trip, station } = unloading
  const count = { event: 'arrived', sealed: true, sealNumber: body.sealNumber ?? null, numbers: [] } as const
  await applyCount(deps, trx, caller, gunny.id, { ...count, station, next: null, trip: trip.number })
  const { id, parcelCount, weightGrams } = gunny
  return { ...nothingLoaded, kind: 'gunny', gunny_id: id, parcel_count: parcelCount, weight_grams: weightGrams }
}

/** A parcel arrives. One of this trip that is here already stays. */
async function unloadParcel(unloading: Unloading, number: string): Promise<Unloaded> {
  const { deps, trx, caller, trip, station } = unloading
  const row = await lockNumberedParcel(trx, number)
  const load = toParcelLoad(row)
  const storedLoad = await findLoad(trx, trip.id, load)
  const bagLoadId = storedLoad === null ? await findOpenedBagLoad(trx, trip.id, row.id) : null
  const hasArrived = (storedLoad !== null || bagLoadId !== null) && row.station_id === station.id
  const arrives = nextParcelState(getParcelState(row), 'arrived') !== null
  if (arrives) {
    await requireCustody(trx, row, 'arrived', staffScanner(caller, station.id), undefined, deps.clock.now())
    await arriveParcels(toArrival(unloading), [row])
  } else if (!hasArrived) throw transitionForbidden(row, 'arrived')
  return bagLoadId === null ? { load, changed: arrives } : { bagLoadId, changed: arrives }
}

/** What was unloaded: a load of the trip, or a parcel of an opened bag, which is the load. */
type Unloaded = { changed: boolean } & ({ load: ScannedLoad } | { bagLoadId: string })

/** Unloads what a code names. What was unloaded from this trip, or has arrived here without it, stays as it is. */
async function unloadReading(unloading: Unloading, reading: CodeReading, body: UnloadBody): Promise<Unloaded> {
  const { trx, trip, station } = unloading
  if (reading.kind === 'parcel') return unloadParcel(unloading, reading.number)
  const subject = { bag_id: reading.kind === 'bag' ? reading.id : null }
  const gunny_id = reading.kind === 'gunny' ? reading.gunny.id : null
  const storedLoad = await findLoad(trx, trip.id, { ...nothingLoaded, ...subject, gunny_id })
  if (storedLoad && (storedLoad.unloaded_at || isAtStation(reading, station.id)))
    return { load: storedLoad, changed: false }
  const load =
    reading.kind === 'bag'
      ? await unloadBag(unloading, reading.id, body)
      : await unloadGunny(unloading, reading.gunny, body)
  return { load, changed: true }
}

/** Whether a bag or a gunny was at a station already, for example because the gunny was counted there. */
function isAtStation(reading: Exclude<CodeReading, { kind: 'parcel' }>, stationId: string): boolean {
  if (reading.kind === 'gunny') return reading.gunny.status === 'at_station' && reading.gunny.station?.id === stationId
  return (reading.status === 'at_station' || reading.status === 'emptied') && reading.stationId === stationId
}

/**
 * Unloads what a code names. What is not on the manifest arrives as well, and is recorded as extra. Throws not_found,
 * trip_state, task_other_station, seal_differs, and what the code's parcel, bag or gunny refuses.
 */
export async function takeFromTrip(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  body: UnloadBody,
  idempotency: Idempotency,
): Promise<TripScan> {
  const at = deps.clock.now()
  const reading = await readLoadCode(deps, body.loadNumber)
  return tx(deps.db, async (trx) => {
    const trip = await lockTrip(trx, caller, id, 'unloading')
    const { to: station } = await getTripStations(trx, trip)
    const unloaded = await unloadReading({ deps, trx, caller, trip, station }, reading, body)
    const loadId = await recordUnloading(trx, trip, unloaded, caller.userId, at)
    const scan = await presentScan(trx, await readScan(trx, id, loadId, unloaded.changed))
    await idempotency.keep(trx, scan)
    return scan
  })
}

/** Records what was unloaded, and returns the id of its load. */
async function recordUnloading(trx: Tx, trip: TripRow, unloaded: Unloaded, userId: string, at: Date): Promise<string> {
  if ('bagLoadId' in unloaded) {
    // A new version shows to other screens that the bag has changed.
    if (unloaded.changed) await updateTripRow(trx, trip, {})
    return unloaded.bagLoadId
  }
  const { load } = unloaded
  const storedLoad = await findLoad(trx, trip.id, load)
  if (storedLoad?.unloaded_at) return storedLoad.id
  await updateTripRow(trx, trip, {})
  if (storedLoad) {
    await markUnloaded(trx, storedLoad, userId, at)
    return storedLoad.id
  }
  const id = newId()
  const { kind, account_id, parcel_id, bag_id, gunny_id, parcel_count, weight_grams } = load
  const subject = { kind, account_id, parcel_id, bag_id, gunny_id, parcel_count, weight_grams }
  const extra = { loaded_at: null, loaded_by: null, unloaded_at: at, unloaded_by: userId }
  await insertLoad(trx, { ...subject, ...extra, trip_id: trip.id, id })
  return id
}

/**
 * Ends the unloading. What has not arrived is missing, and stays on the way until it is scanned. Throws what
 * `lockForEvent` throws.
 */
export async function endUnloading(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  version: number,
  idempotency: Idempotency,
): Promise<TripDetail> {
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const { trip, status } = await lockForEvent(trx, caller, id, version, 'closed')
    const loads = await listLoads(trx, trip)
    const missing = loads.filter(
      (load) => findLoadState(trip, load) === 'loaded' || (load.loaded_at !== null && load.missing.length > 0),
    )
    const extra = loads.filter(({ loaded_at }) => loaded_at === null)
    await markMissing(
      trx,
      trip.id,
      missing.map((load) => load.id),
      at,
    )
    await updateTripRow(trx, trip, {
      status,
      closed_at: at,
      missing_count: missing.length,
      extra_count: extra.length,
    })
    await recordActivity(trx, {
      action: 'trips.closed',
      level: missing.length > 0 ? 'WARNING' : 'INFO',
      userId: caller.userId,
      subject: trip.number,
      detail: { missing: missing.map(({ number }) => number), extra: extra.map(({ number }) => number) },
      at,
    })
    const detail = await readTrip(trx, id)
    await idempotency.keep(trx, detail)
    return detail
  })
}
