// Parcels for printing.
import { recordActivity } from '../../../activity.ts'
import type { Deps } from '../../../deps.ts'
import type { UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { listParcelsInOrder } from '../list/details.ts'
import { listParcelsOfAnyAccount, type ParcelRow } from '../queries.ts'

/**
 * Parcels to print, in the order of the ids: the customer's own, or any for staff. Staff prints are recorded in the
 * activity log, because labels contain names and addresses. Throws not_found unless the caller may see all of them.
 */
export async function printableParcels(deps: Deps, caller: UserCaller, ids: readonly string[]): Promise<ParcelRow[]> {
  if (caller.kind === 'customer') return listParcelsInOrder(deps, caller, ids)
  const rows = new Map((await listParcelsOfAnyAccount(deps.db, ids)).map((row) => [row.id, row]))
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
