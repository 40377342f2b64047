// Staff open, fill, seal and empty bags.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import {
  type Bag,
  type BagDetail,
  type BagScan,
  bagLimit,
  type createBag,
} from '@waybill/contract/parcels/transport/bags'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { makeContainerNumber, makeSscc } from '../../../lib/print/container-codes.ts'
import { findStationsById } from '../../stations/service.ts'
import { requireOwnStation } from '../custody/service.ts'
import { lockNumberedParcel, readParcelCode, requireLoadable } from './loadable.ts'
import {
  type BagChanges,
  type BagRow,
  deleteBagParcel,
  findBag,
  findBagOfParcel,
  findLoadingTrip,
  insertBag,
  insertBagParcel,
  listParcelsInBags,
  nextBagSerial,
  updateBag,
} from './queries.ts'
import {
  bagForbidden,
  bagPrefix,
  lockBag,
  presentBagScan,
  readBag,
  readBagWithoutParcels,
  readBagWithWarnings,
  requireBag,
  requireNextBagStatus,
} from './service.ts'
import type { BagEvent } from './status.ts'

/**
 * The two stations of a new bag or trip; `stationId` absent: the caller's own. Throws validation, and
 * task_other_station for staff of another station.
 */
export async function requireRoute(
  deps: Deps,
  caller: StaffCaller,
  { stationId, toStationId }: { stationId?: string | undefined; toStationId: string },
): Promise<{ fromId: string; toId: string }> {
  const fromId = stationId ?? caller.stationId
  if (!fromId) throw validationError({ field: 'stationId', rule: 'required' })
  requireOwnStation(caller, fromId)
  const stations = await findStationsById(deps.db, [fromId, toStationId])
  if (!stations.has(fromId)) throw validationError({ field: 'stationId', rule: 'enum' })
  if (!stations.has(toStationId) || toStationId === fromId)
    throw validationError({ field: 'toStationId', rule: 'enum' })
  return { fromId, toId: toStationId }
}

/** Opens an empty bag. Throws what `requireRoute` throws. */
export async function openNewBag(
  deps: Deps,
  caller: StaffCaller,
  body: BodyOf<typeof createBag>,
  idempotency: Idempotency,
): Promise<BagDetail> {
  const { fromId, toId } = await requireRoute(deps, caller, body)
  const at = deps.clock.now()
  const id = newId()
  return tx(deps.db, async (trx) => {
    const serial = await nextBagSerial(trx)
    const number = makeContainerNumber(bagPrefix, serial)
    await insertBag(trx, {
      id,
      number,
      sscc: makeSscc(deps.settings.get('gunny.companyPrefix'), serial),
      station_id: fromId,
      to_station_id: toId,
      created_by: caller.userId,
      created_at: at,
      updated_at: at,
    })
    await recordActivity(trx, { action: 'bags.created', userId: caller.userId, subject: number, at })
    const bag = await readBag(trx, 'id', id)
    await idempotency.keep(trx, bag)
    return bag
  })
}

/** A locked open bag at the caller's station. Throws bag_unknown, bag_state, task_other_station. */
async function lockOpenBag(trx: Tx, caller: StaffCaller, id: string): Promise<BagRow> {
  const bag = await lockBag(trx, id)
  requireOwnStation(caller, bag.station_id)
  if (bag.status !== 'open') throw bagForbidden(bag, 'filled')
  return bag
}

/**
 * Puts a parcel into an open bag. One that is in it already stays, so a repeated scan changes nothing. Throws
 * bag_unknown, bag_state, bag_full, trip_other, task_other_station, parcel_unknown, and what `readParcelCode` and
 * `requireLoadable` throw.
 */
export async function putIntoBag(deps: Deps, caller: StaffCaller, id: string, code: string): Promise<BagScan> {
  const number = await readParcelCode(deps, code)
  const scan = await tx(deps.db, async (trx) => {
    const bag = await lockOpenBag(trx, caller, id)
    const row = await lockNumberedParcel(trx, number)
    await requireLoadable(trx, caller, row, bag.station_id, bag.id)
    const trip = await findLoadingTrip(trx, row.id)
    if (trip) throw new AppError('trip_other', { vars: { trip }, details: { trip } })
    const changed = (await findBagOfParcel(trx, row.id))?.id !== bag.id
    if (changed) {
      const { parcel_count } = await requireBag(trx, 'id', bag.id)
      if (parcel_count >= bagLimit) throw new AppError('bag_full', { vars: { number: bag.number, max: bagLimit } })
      const at = deps.clock.now()
      await insertBagParcel(trx, bag.id, row, caller.userId, at)
      await updateBag(trx, bag, {}, at)
    }
    return { bag: await requireBag(trx, 'id', id), parcel: row, changed }
  })
  return presentBagScan(deps, scan)
}

/** Takes a parcel out of an open bag. Throws bag_unknown, bag_state, task_other_station, not_found. */
export async function takeOutOfBag(deps: Deps, caller: StaffCaller, id: string, parcelId: string): Promise<Bag> {
  return tx(deps.db, async (trx) => {
    const bag = await lockOpenBag(trx, caller, id)
    if (!(await deleteBagParcel(trx, bag.id, parcelId))) throw new AppError('not_found')
    await updateBag(trx, bag, {}, deps.clock.now())
    return readBagWithoutParcels(trx, id)
  })
}

/** Throws bag_on_trip if the bag is loaded on a vehicle. */
async function requireNotLoaded(trx: Tx, bag: BagRow): Promise<void> {
  const trip = (await findBag(trx, 'id', bag.id))?.trip_number
  if (trip) throw new AppError('bag_on_trip', { vars: { number: bag.number, trip }, details: { trip } })
}

async function changeBag(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  version: number,
  event: BagEvent,
  getChanges: (trx: Tx, bag: BagRow) => Promise<BagChanges>,
): Promise<BagDetail> {
  await tx(deps.db, async (trx) => {
    const bag = await lockBag(trx, id)
    requireOwnStation(caller, bag.next_station_id ?? bag.station_id)
    const status = requireNextBagStatus(bag, event)
    if (bag.version !== version) throw new AppError('version_conflict')
    const changes = await getChanges(trx, bag)
    const at = deps.clock.now()
    await updateBag(trx, bag, { status, ...changes }, at)
    const { seal_number: sealNumber, station_id: stationId } = changes
    await recordActivity(trx, {
      action: `bags.${event}`,
      userId: caller.userId,
      subject: bag.number,
      detail: { ...(sealNumber && { sealNumber }), ...(stationId && { stationId }) },
      at,
    })
  })
  return readBagWithWarnings(deps, 'id', id)
}

/** Seals an open bag. Throws bag_unknown, bag_state, bag_without_parcels, version_conflict, task_other_station. */
export function closeBag(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, sealNumber }: { version: number; sealNumber: string },
): Promise<BagDetail> {
  return changeBag(deps, caller, id, version, 'sealed', async (trx, bag) => {
    if ((await listParcelsInBags(trx, [bag.id])).length === 0) {
      throw new AppError('bag_without_parcels', { vars: { number: bag.number } })
    }
    return { seal_number: sealNumber }
  })
}

/** Breaks a bag's seal. Throws bag_unknown, bag_state, bag_on_trip, version_conflict, task_other_station. */
export function breakSeal(deps: Deps, caller: StaffCaller, id: string, version: number): Promise<BagDetail> {
  return changeBag(deps, caller, id, version, 'opened', async (trx, bag) => {
    await requireNotLoaded(trx, bag)
    return { seal_number: null }
  })
}

/**
 * Empties a bag at the station that has it; its parcels are there already. A bag on the way can be emptied once all its
 * parcels have been scanned individually. Throws bag_unknown, bag_state, bag_on_trip, version_conflict,
 * task_other_station.
 */
export function unpackBag(deps: Deps, caller: StaffCaller, id: string, version: number): Promise<BagDetail> {
  return changeBag(deps, caller, id, version, 'emptied', async (trx, bag) => {
    if (bag.status !== 'in_transit') {
      await requireNotLoaded(trx, bag)
      return {}
    }
    if ((await listParcelsInBags(trx, [bag.id])).length > 0) throw bagForbidden(bag, 'emptied')
    // It is here: otherwise it would count as emptied where it departed.
    return { station_id: bag.next_station_id ?? bag.station_id, next_station_id: null }
  })
}
