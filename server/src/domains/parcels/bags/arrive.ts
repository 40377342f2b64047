// Bags and parcels arrive: unloaded from a trip, or a bag that turned up without its trip.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { BagDetail, receiveBag } from '@waybill/contract/parcels/transport/bags'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { findCorrectStation, namedStation, requireOwnStation } from '../custody/service.ts'
import type { ParcelRow } from '../queries.ts'
import { collectionAfter } from '../self-collection/holding.ts'
import { transitionParcels } from '../transition.ts'
import { type BagRow, listParcelsInBags, lockParcels, updateBag } from './queries.ts'
import { lockBag, readBag, requireBag, requireNextBagStatus } from './service.ts'

/** Where something arrives; `trip`: the number of the trip from which it is unloaded. */
export type Arrival = { deps: Deps; trx: Tx; caller: StaffCaller; station: Station; trip: string | null }

/** Parcels arrive, one by one or in a bag; those that were sent to another station are logged. */
export async function arriveParcels(
  { deps, trx, caller, station, trip }: Arrival,
  rows: readonly ParcelRow[],
  bag: string | null = null,
): Promise<void> {
  const at = deps.clock.now()
  for (const [rightStation, group] of await groupByRightStation(trx, rows, station.id)) {
    const detail = { ...(trip ? { trip } : {}), ...(bag ? { bag } : {}), ...(rightStation ? { rightStation } : {}) }
    const by = { actorId: caller.userId, stationId: station.id, place: station.city, detail }
    await transitionParcels(deps, trx, group, 'arrived', by, (row) => collectionAfter(deps, row, 'arrived', station))
    for (const row of rightStation ? group : []) {
      await recordActivity(trx, {
        action: 'parcels.misrouted',
        level: 'WARNING',
        accountId: row.account_id,
        userId: caller.userId,
        subject: row.id,
        detail: { ...detail, trackingNumber: row.tracking_number, event: 'arrived', stationId: station.id },
        at,
      })
    }
  }
}

async function groupByRightStation(trx: Tx, rows: readonly ParcelRow[], stationId: string) {
  const groups = new Map<Awaited<ReturnType<typeof findCorrectStation>>, ParcelRow[]>()
  for (const [, group] of Map.groupBy(rows, ({ next_station_id }) => next_station_id)) {
    const [first] = group
    groups.set(first ? await findCorrectStation(trx, first, 'arrived', stationId) : null, group)
  }
  return groups
}

/** What was read of the seal; `opened`: it is missing, broken or another one. */
type SealReading = Pick<BodyOf<typeof receiveBag>, 'sealNumber' | 'opened'>

/**
 * A bag on its way arrives with the parcels in it; they are returned as they were. Without its seal it is opened: it is
 * emptied then, and its parcels are scanned one by one. Throws bag_unknown, bag_state; seal_differs unless the seal is
 * the bag's own.
 */
export async function arriveBag(
  arrival: Arrival,
  id: string,
  { sealNumber, opened }: SealReading,
): Promise<{ bag: BagRow; parcels: ParcelRow[] }> {
  const { deps, trx, station } = arrival
  const bag = await lockBag(trx, id)
  const status = requireNextBagStatus(bag, 'arrived')
  if (!opened && sealNumber !== bag.seal_number) {
    throw new AppError('seal_differs', {
      vars: { number: bag.number },
      details: { sealed: bag.seal_number !== null, kind: 'bag', number: bag.number },
    })
  }
  const parcels = await listParcelsInBags(trx, [id])
  if (!opened) {
    const rows = await lockParcels(
      trx,
      parcels.map((parcel) => parcel.id),
    )
    await arriveParcels(arrival, rows, bag.number)
  }
  const changes = { status: opened ? requireNextBagStatus(bag, 'emptied') : status, station_id: station.id }
  await updateBag(trx, bag, { ...changes, next_station_id: null }, deps.clock.now())
  return { bag, parcels }
}

/** The station where a bag turned up; absent: the caller's own. Throws validation, task_other_station. */
async function requireStation(deps: Deps, caller: StaffCaller, stationId: string | undefined): Promise<Station> {
  const id = stationId ?? caller.stationId
  if (!id) throw validationError({ field: 'stationId', rule: 'required' })
  requireOwnStation(caller, id)
  const station = (await findStationsById(deps.db, [id])).get(id)
  if (!station) throw validationError({ field: 'stationId', rule: 'enum' })
  return station
}

/**
 * Receives a bag on its way that turned up without its trip: it was missing, or is at a wrong station. Its destination
 * unloads it from the trip while that is not closed. Throws what `arriveBag` throws; bag_comes_with_trip, validation,
 * task_other_station.
 */
export async function receiveStrayBag(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { stationId, ...reading }: BodyOf<typeof receiveBag>,
  idempotency: Idempotency,
): Promise<BagDetail> {
  const station = await requireStation(deps, caller, stationId)
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const { number, trip_number: trip, is_missing, next_station_id } = await requireBag(trx, 'id', id)
    if (trip && !is_missing && next_station_id === station.id)
      throw new AppError('bag_comes_with_trip', { vars: { number, trip }, details: { trip } })
    const { bag } = await arriveBag({ deps, trx, caller, station, trip: null }, id, reading)
    const rightStation = bag.next_station_id === station.id ? null : await namedStation(trx, bag.next_station_id)
    await recordActivity(trx, {
      action: reading.opened ? 'bags.emptied' : 'bags.arrived',
      level: reading.opened || rightStation ? 'WARNING' : 'INFO',
      userId: caller.userId,
      subject: number,
      detail: { stationId: station.id, ...(rightStation ? { rightStation } : {}) },
      at,
    })
    const detail = await readBag(trx, 'id', id)
    await idempotency.keep(trx, detail)
    return detail
  })
}
