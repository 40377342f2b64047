// The label of another carrier.
import type { Deps } from '../../../deps.ts'
import { asAccountId, type UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { carrierLabel } from '../../carriers/service.ts'
import { rowHasNote } from '../access.ts'
import { printableParcels } from '../labels/printable-parcels.ts'
import type { ParcelRow } from '../queries.ts'

/**
 * The carrier's label of a parcel as PDF. Throws not_found if there is none, for a parcel without a note, or for
 * another account's parcel.
 */
export async function readCarrierLabel(deps: Deps, caller: UserCaller, parcelId: string): Promise<Buffer> {
  const [row] = (await printableParcels(deps, caller, [parcelId])) as [ParcelRow]
  if (!rowHasNote(row)) throw new AppError('not_found')
  return carrierLabel(deps, asAccountId(row.account_id), parcelId)
}
