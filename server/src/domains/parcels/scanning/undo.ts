/**
 * A scan taken back (docs/decisions/0011-a-scan-can-be-taken-back.md): no transition of the table, but the last one's
 * way back, told in the timeline.
 */
import { type Scanned, undoSeconds } from '@waybill/contract/parcels/scanning'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { restoredCustody } from '../custody/service.ts'
import { lockOwnParcel, type ParcelRow } from '../queries.ts'
import { applyMoves } from '../queries-transition.ts'
import { scanOfEvent, stateBefore, toTrackingStatus, undoneEvent } from '../status.ts'
import { findLastEvent, findOwnEvent } from '../timeline/queries.ts'
import { unfollowScan } from './rider-tasks.ts'

/**
 * Until when a scan can be taken back; null: never, since it is no scan that can, or something has followed. Counted
 * from when it was recorded: whoever was offline learns only then what became of it.
 */
export function undoUntil(event: string, at: Date, lastEventAt: Date | null, recordedAt: Date): Date | null {
  if (stateBefore(event) === null || lastEventAt?.getTime() !== at.getTime()) return null
  return new Date(recordedAt.getTime() + undoSeconds * 1000)
}

/**
 * Takes back a scan of the caller's own: the parcel is where it was before. Under the parcel's lock, so nothing can
 * follow meanwhile. Throws not_found (no such scan, or somebody else's), undo_too_late, undo_impossible (a scan of
 * another kind, or something has followed).
 */
export async function revertScan(deps: Deps, caller: StaffCaller, scanId: string): Promise<Scanned> {
  return tx(deps.db, async (trx) => {
    const found = await findOwnEvent(trx, caller.userId, scanId)
    const row = found && (await lockOwnParcel(trx, found.parcel_id))
    if (!found || !row) throw new AppError('not_found')
    const before = stateBefore(found.event)
    const last = await findLastEvent(trx, row.id, row.created_at)
    if (!before || found.from_status === null || last?.id !== scanId) throw new AppError('undo_impossible')
    const at = deps.clock.now()
    const recordedAt = typeof found.detail.recordedAt === 'string' ? Date.parse(found.detail.recordedAt) : +found.at
    const until = new Date(recordedAt + undoSeconds * 1000)
    if (at >= until) throw new AppError('undo_too_late')
    const handedOver = before.handedOver ?? row.handed_over
    const eventId = newId()
    const collectUntil = typeof found.detail.fromCollectUntil === 'string' ? found.detail.fromCollectUntil : null
    const move = {
      row,
      status: found.from_status,
      trackingStatus: toTrackingStatus(found.from_status, handedOver),
      handedOver,
      leg: before.leg ?? row.leg,
      eventId,
      changes: { ...restoredCustody(found.detail), collect_until: collectUntil },
    }
    const [after] = await applyMoves(trx, [move], {
      event: undoneEvent,
      at,
      actorId: caller.userId,
      stationId: found.station_id,
      place: found.place,
      note: null,
      detail: { undone: found.event, scanId },
    })
    if (!after) throw new AppError('version_conflict')
    await unfollowScan(trx, row, found.event, after.rider_id, at)
    const scan = scanOfEvent(found.event)
    return {
      id: eventId,
      at: at.toISOString(),
      trackingNumber: (row as ParcelRow).tracking_number ?? '',
      event: scan ?? 'arrived',
      fromStatus: row.status,
      toStatus: after.status,
      stationId: found.station_id,
      place: found.place,
      undoUntil: null,
      rightStation: null,
    }
  })
}
