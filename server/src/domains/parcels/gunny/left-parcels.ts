// Parcels that are handed over or cancelled one by one leave the gunny that is still being packed.
import { recordActivity } from '../../../activity.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { listParcelsInGunny, lockPackedGunnies, takeOutLeftParcels, updateGunnyRow } from './queries.ts'
import { requireNext } from './service.ts'

/**
 * Takes parcels that no longer wait for their drop-off out of their open gunny, and dissolves a gunny that is empty
 * then. Not part of the move itself, because gunnies are locked before their parcels.
 */
export const leaveOpenGunnies: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const movedIds = moves
    .filter(({ fromStatus, status }) => fromStatus === 'pending_dropoff' || status === 'pending_dropoff')
    .map(({ parcelId }) => parcelId)
  if (movedIds.length === 0) return
  const at = deps.clock.now()
  for (const gunny of await lockPackedGunnies(trx, movedIds)) {
    await takeOutLeftParcels(trx, gunny)
    if (gunny.status !== 'open' || (await listParcelsInGunny(trx, gunny)).length > 0) continue
    await updateGunnyRow(trx, gunny, { status: requireNext(gunny, 'dissolved') }, at)
    await recordActivity(trx, {
      action: 'gunny.dissolve',
      accountId: gunny.account_id,
      userId: null,
      subject: gunny.number,
      detail: { emptied: true },
      at,
    })
  }
}
