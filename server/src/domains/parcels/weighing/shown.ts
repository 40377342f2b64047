/** Re-weighings as their readers see them. */
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

/** The re-weighing as the contract shows it, with its station and photos. */
export async function shownWeighings(deps: Deps, db: DbOrTx, rows: readonly WeighingRow[]): Promise<Weighing[]> {
  const photoIds = rows.flatMap(({ photo_id, photo_ids }) => [...(photo_id ? [photo_id] : []), ...photo_ids])
  const [stations, photos] = await Promise.all([
    stationsById(db, [...new Set(rows.flatMap(({ station_id }) => station_id ?? []))]),
    attachmentsById(deps, db, photoIds),
  ])
  return rows.map((row) => presentWeighing(row, stations.get(row.station_id ?? '')?.name ?? null, photos))
}

/** One of them. */
export async function shownWeighing(deps: Deps, db: DbOrTx, row: WeighingRow): Promise<Weighing> {
  const [weighing] = await shownWeighings(deps, db, [row])
  return weighing as Weighing
}

/** The latest re-weighing of a parcel that the caller may see, or null. Throws not_found. */
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
