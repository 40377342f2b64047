// Staff load parcels, bags and gunnies onto a vehicle, and take them off again before it departs.
import type { StaffGunny } from '@waybill/contract/parcels/gunny'
import type { BagStatus } from '@waybill/contract/parcels/transport/bags'
import { type Trip, type TripScan, tripLimit } from '@waybill/contract/parcels/transport/trips'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { parseContainerCode } from '../../../lib/print/container-codes.ts'
import { lockNumberedParcel, readParcelCode, requireLoadable } from '../bags/loadable.ts'
import { findBagByCode, lockLoadableBag } from '../bags/travel.ts'
import { namedStation } from '../custody/service.ts'
import { getGunnyForStaff, requireLockedGunny } from '../gunny/checks.ts'
import { gunnyPrefix } from '../gunny/service.ts'
import type { ParcelRow } from '../queries.ts'
import { countManifest, type TripRow } from './queries.ts'
import { deleteLoad, findLoad, findOtherTrip, insertLoad, type LoadSubject, type StoredLoad } from './queries-loads.ts'
import { lockTrip, presentScanWithWarning, readScan, readTripWithoutLoads } from './service.ts'

/** What a code names. */
export type ScannedLoad = LoadSubject & Pick<StoredLoad, 'kind' | 'account_id' | 'parcel_count' | 'weight_grams'>

export const nothingLoaded = { account_id: null, parcel_id: null, bag_id: null, gunny_id: null }

/** What a code names, as it was before the transaction: a bag, a gunny or a parcel. */
export type CodeReading =
  | { kind: 'bag'; id: string; status: BagStatus; stationId: string }
  | { kind: 'gunny'; gunny: StaffGunny }
  | { kind: 'parcel'; number: string }

/**
 * Reads a scanned code, before the transaction. Throws bag_unknown, gunny_unknown and the errors of `readParcelCode`,
 * each also for a wrong check digit.
 */
export async function readLoadCode(deps: Deps, code: string): Promise<CodeReading> {
  const bag = await findBagByCode(deps.db, code)
  if (bag) return { kind: 'bag', id: bag.id, status: bag.status, stationId: bag.station_id }
  if (parseContainerCode(code, gunnyPrefix)) return { kind: 'gunny', gunny: await getGunnyForStaff(deps, code) }
  return { kind: 'parcel', number: await readParcelCode(deps, code) }
}

/** A locked parcel as a load. */
export const toParcelLoad = ({ id, account_id, actual_grams, weight_grams }: ParcelRow): ScannedLoad => ({
  ...nothingLoaded,
  kind: 'parcel',
  account_id,
  parcel_id: id,
  parcel_count: 1,
  weight_grams: actual_grams ?? weight_grams ?? 0,
})

/**
 * A sealed gunny at this station, locked. Throws gunny_not_here, gunny_elsewhere, gunny_unsealed: without a seal, its
 * parcels are counted when it departs and arrives.
 */
async function requireLoadableGunny(trx: Tx, gunny: StaffGunny, stationId: string): Promise<ScannedLoad> {
  const { number, status, station_id, seal_number } = await requireLockedGunny(trx, gunny.id)
  if (status !== 'at_station') throw new AppError('gunny_not_here', { vars: { number } })
  if (station_id !== stationId) {
    const station = await namedStation(trx, station_id)
    throw new AppError('gunny_elsewhere', { vars: { station: station?.name ?? '–' }, details: { station } })
  }
  if (seal_number === null) throw new AppError('gunny_unsealed', { vars: { number } })
  const { id, parcelCount, weightGrams } = gunny
  return { ...nothingLoaded, kind: 'gunny', gunny_id: id, parcel_count: parcelCount, weight_grams: weightGrams }
}

/** What a code names, locked, if it may be loaded here. */
async function requireLoad(
  trx: Tx,
  caller: StaffCaller,
  { from_station_id: stationId }: TripRow,
  reading: CodeReading,
): Promise<ScannedLoad> {
  if (reading.kind === 'gunny') return requireLoadableGunny(trx, reading.gunny, stationId)
  if (reading.kind === 'bag') {
    const { id, parcel_count, weight_grams } = await lockLoadableBag(trx, reading.id, stationId)
    return { ...nothingLoaded, kind: 'bag', bag_id: id, parcel_count, weight_grams }
  }
  const row = await lockNumberedParcel(trx, reading.number)
  await requireLoadable(trx, caller, row, stationId)
  return toParcelLoad(row)
}

/**
 * Loads what a code names. One that is loaded already stays, so a repeated scan changes nothing. Throws not_found,
 * trip_state, trip_other, trip_full, task_other_station, and what the code's parcel, bag or gunny refuses.
 */
export async function putOnTrip(deps: Deps, caller: StaffCaller, id: string, code: string): Promise<TripScan> {
  const reading = await readLoadCode(deps, code)
  const scan = await tx(deps.db, async (trx) => {
    const trip = await lockTrip(trx, caller, id, 'loading')
    const load = await requireLoad(trx, caller, trip, reading)
    const storedLoad = await findLoad(trx, trip.id, load)
    if (storedLoad) return readScan(trx, id, storedLoad.id, false)
    const otherTrip = await findOtherTrip(trx, trip.id, load)
    if (otherTrip) throw new AppError('trip_other', { vars: { trip: otherTrip }, details: { trip: otherTrip } })
    if (trip.parcel_count + load.parcel_count > tripLimit) {
      throw new AppError('trip_full', { vars: { number: trip.number, max: tripLimit } })
    }
    const loadId = newId()
    await insertLoad(trx, {
      ...load,
      trip_id: trip.id,
      id: loadId,
      loaded_at: deps.clock.now(),
      loaded_by: caller.userId,
      unloaded_at: null,
      unloaded_by: null,
    })
    await countManifest(trx, trip)
    return readScan(trx, id, loadId, true)
  })
  return presentScanWithWarning(deps, scan)
}

/** Takes a load off before the departure. Throws not_found, trip_state, task_other_station. */
export async function takeOffTrip(deps: Deps, caller: StaffCaller, id: string, loadId: string): Promise<Trip> {
  return tx(deps.db, async (trx) => {
    const trip = await lockTrip(trx, caller, id, 'loading')
    if (!(await deleteLoad(trx, trip.id, loadId))) throw new AppError('not_found')
    await countManifest(trx, trip)
    return readTripWithoutLoads(trx, id)
  })
}
