import { recordActivity } from '../../../activity.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller, StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { parcelsInOrder } from '../list/reads.ts'
import { type ParcelRow, parcelsOfAnyAccount } from '../queries.ts'

/**
 * Parcels to print, in the order of the ids: a customer's own, or anybody's for staff. What staff prints is in the
 * activity log, because labels carry names and addresses. Throws not_found when the caller may not see one of them.
 */
export async function printableParcels(
  deps: Deps,
  caller: CustomerCaller | StaffCaller,
  ids: readonly string[],
): Promise<ParcelRow[]> {
  if (caller.kind === 'customer') return parcelsInOrder(deps, caller, ids)
  const rows = new Map((await parcelsOfAnyAccount(deps.db, ids)).map((row) => [row.id, row]))
  const parcels = ids.map((id) => {
    const row = rows.get(id)
    if (!row) throw new AppError('not_found')
    return row
  })
  const at = deps.clock.now()
  await recordActivity(
    deps.db,
    ...parcels.map(({ id, account_id }) => ({
      action: 'parcels.printed',
      accountId: account_id,
      userId: caller.userId,
      subject: id,
      at,
    })),
  )
  return parcels
}
