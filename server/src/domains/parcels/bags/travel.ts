// What trips do with bags: load them and take them along.
import type { DbOrTx } from '../../../db/pool.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { parseContainerCode } from '../../../lib/print/container-codes.ts'
import { namedStation } from '../custody/service.ts'
import type { ParcelRow } from '../queries.ts'
import { mayDepart } from './loadable.ts'
import {
  type BagRow,
  type CountedBag,
  findBag,
  findBagOfParcel,
  listParcelsInBags,
  lockBags,
  updateBag,
} from './queries.ts'
import { bagForbidden, bagPrefix, requireNextBagStatus } from './service.ts'

/** A bag by a scanned code; null: the code of something else. Throws bag_number_slip, bag_unknown. */
export async function findBagByCode(db: DbOrTx, code: string): Promise<CountedBag | null> {
  const reading = parseContainerCode(code, bagPrefix)
  if (!reading) return null
  if (reading.by === 'slip') {
    // An SSCC may be that of a gunny, which names the mistake as well.
    if (/^\d/.test(reading.value)) return null
    throw new AppError('bag_number_slip', { vars: { number: reading.value } })
  }
  const bag = await findBag(db, reading.by, reading.value)
  if (!bag && reading.by === 'number') throw new AppError('bag_unknown')
  return bag
}

/** The bag that holds a parcel now; null: none. */
export async function findHoldingBag(db: DbOrTx, parcelId: string): Promise<{ id: string; number: string } | null> {
  return findBagOfParcel(db, parcelId)
}

/** A locked bag that may be loaded at a station. Throws bag_state, bag_elsewhere, bag_without_parcels. */
export async function lockLoadableBag(trx: DbOrTx, id: string, stationId: string): Promise<CountedBag> {
  await lockBags(trx, [id])
  const bag = await findBag(trx, 'id', id)
  if (!bag) throw new AppError('bag_unknown')
  if (bag.status !== 'sealed' && bag.status !== 'at_station') throw bagForbidden(bag, 'loaded')
  if (bag.station_id !== stationId) {
    const station = await namedStation(trx, bag.station_id)
    throw new AppError('bag_elsewhere', { vars: { station: station?.name ?? '–' }, details: { station } })
  }
  if (bag.parcel_count === 0) throw new AppError('bag_without_parcels', { vars: { number: bag.number } })
  return bag
}

/** Locked bags, and the parcels that they hold. */
export async function lockBagsWithParcels(
  trx: DbOrTx,
  ids: readonly string[],
): Promise<{ bags: BagRow[]; parcels: (ParcelRow & { bag_id: string })[] }> {
  const bags = await lockBags(trx, ids)
  return { bags, parcels: await listParcelsInBags(trx, ids) }
}

/** The numbers of bags that may not depart from a station, and of those with a parcel that may not. */
export function findUnready(
  bags: readonly BagRow[],
  parcels: readonly (ParcelRow & { bag_id: string })[],
  caller: StaffCaller,
  stationId: string,
): string[] {
  return bags
    .filter((bag) => {
      const own = parcels.filter(({ bag_id }) => bag_id === bag.id)
      const isReady = (bag.status === 'sealed' || bag.status === 'at_station') && bag.station_id === stationId
      return !isReady || own.length === 0 || own.some((row) => !mayDepart(row, caller, stationId))
    })
    .map(({ number }) => number)
}

/** Bags leave for a station. */
export async function departBags(trx: DbOrTx, bags: readonly BagRow[], nextStationId: string, at: Date): Promise<void> {
  for (const bag of bags) {
    await updateBag(trx, bag, { status: requireNextBagStatus(bag, 'departed'), next_station_id: nextStationId }, at)
  }
}
