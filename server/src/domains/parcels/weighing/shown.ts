// Loads what belongs to re-weighings: stations and photos.
import type { Weighing } from '@waybill/contract/parcels/weighing'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { presentAttachmentsById } from '../../attachments/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { onlyCreatedBy } from '../access.ts'
import { findParcels } from '../queries.ts'
import { presentWeighing } from './present.ts'
import { findCurrentWeighing, type WeighingRow } from './queries.ts'

/** Formats re-weighings for the API, with station and photos. */
export async function presentWeighings(deps: Deps, db: DbOrTx, rows: readonly WeighingRow[]): Promise<Weighing[]> {
  const photoIds = rows.flatMap(({ photo_id, photo_ids }) => [...(photo_id ? [photo_id] : []), ...photo_ids])
  const [stations, photos] = await Promise.all([
    findStationsById(db, [...new Set(rows.flatMap(({ station_id }) => station_id ?? []))]),
    presentAttachmentsById(deps, db, photoIds),
  ])
  return rows.map((row) => presentWeighing(row, stations.get(row.station_id ?? '')?.name ?? null, photos))
}

/** `presentWeighings` for one. */
export async function presentOneWeighing(deps: Deps, db: DbOrTx, row: WeighingRow): Promise<Weighing> {
  const [weighing] = await presentWeighings(deps, db, [row])
  return weighing as Weighing
}

/** The current re-weighing of a parcel, or null. Throws not_found unless the caller may see the parcel. */
export async function readWeighing(
  deps: Deps,
  caller: CustomerCaller,
  parcelId: string,
): Promise<{ weighing: Weighing | null }> {
  const [parcel] = await findParcels(deps.db, caller.accountId, [parcelId], onlyCreatedBy(caller))
  if (!parcel) throw new AppError('not_found')
  const row = await findCurrentWeighing(deps.db, caller.accountId, parcelId)
  return { weighing: row && (await presentOneWeighing(deps, deps.db, row)) }
}
