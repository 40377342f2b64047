// Loads what belongs to re-weighings: stations and photos.
import type { Weighing } from '@waybill/contract/parcels/weighing'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { attachmentsById } from '../../attachments/service.ts'
import { stationsById } from '../../stations/service.ts'
import { visibleBy } from '../access.ts'
import { parcelsByIds } from '../list/queries-list.ts'
import { presentWeighing } from './present.ts'
import { latestWeighing, type WeighingRow } from './queries.ts'

/** Re-weighings as the contract has them, with station and photos. */
export async function shownWeighings(deps: Deps, db: DbOrTx, rows: readonly WeighingRow[]): Promise<Weighing[]> {
  const photoIds = rows.flatMap(({ photo_id, photo_ids }) => [...(photo_id ? [photo_id] : []), ...photo_ids])
  const [stations, photos] = await Promise.all([
    stationsById(db, [...new Set(rows.flatMap(({ station_id }) => station_id ?? []))]),
    attachmentsById(deps, db, photoIds),
  ])
  return rows.map((row) => presentWeighing(row, stations.get(row.station_id ?? '')?.name ?? null, photos))
}

/** `shownWeighings` of one. */
export async function shownWeighing(deps: Deps, db: DbOrTx, row: WeighingRow): Promise<Weighing> {
  const [weighing] = await shownWeighings(deps, db, [row])
  return weighing as Weighing
}

/** The latest re-weighing of a parcel, or null. Throws not_found unless the caller may see the parcel. */
export async function weighingOf(
  deps: Deps,
  caller: CustomerCaller,
  parcelId: string,
): Promise<{ weighing: Weighing | null }> {
  const [parcel] = await parcelsByIds(deps.db, caller.accountId, [parcelId], visibleBy(caller))
  if (!parcel) throw new AppError('not_found')
  const row = await latestWeighing(deps.db, caller.accountId, parcelId)
  return { weighing: row && (await shownWeighing(deps, deps.db, row)) }
}
