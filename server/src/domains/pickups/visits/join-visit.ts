// A second order for a booked visit joins it.
import type { DbOrTx } from '../../../db/pool.ts'
import type { PickupRow } from '../queries.ts'
import { changePickup } from '../rider-tasks/queries.ts'

/** Adds parcels to a locked visit. Returns its number. */
export async function joinVisit(trx: DbOrTx, visit: PickupRow, parcelCount: number, at: Date): Promise<string> {
  await changePickup(trx, visit, { parcel_count: visit.parcel_count + parcelCount }, at)
  return visit.number
}
