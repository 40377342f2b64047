// Undoes a scan (docs/decisions/0011-a-scan-can-be-taken-back.md). This is no transition of the table: it restores the
// state before the last one, with an entry in the timeline.
import { type ScanResult, undoSeconds } from '@waybill/contract/parcels/scanning'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { later, seconds } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { restoredColumns } from '../custody/service.ts'
import { lockParcelById, type ParcelRow } from '../queries.ts'
import { applyMoves, type EventFacts } from '../queries-transition.ts'
import { stateBefore, toScanEvent, toTrackingStatus, undoneEvent } from '../status.ts'
import { findLastEvent, findOwnEvent } from '../timeline/queries.ts'
import { restoreTask } from './rider-tasks.ts'

/** The time counts from when the scan was recorded, because an offline scanner sees the result only then. */
const undoDeadline = (recordedAt: Date): Date => later(recordedAt, seconds(undoSeconds))

/** Until when a scan can be undone; null: it cannot, or another event has followed. */
export function undoUntil(event: string, at: Date, lastEventAt: Date | null, recordedAt: Date): Date | null {
  if (stateBefore(event) === null || lastEventAt?.getTime() !== at.getTime()) return null
  return undoDeadline(recordedAt)
}

/**
 * Undoes a scan of the caller: the parcel returns to its previous state. The parcel is locked, so that no event can
 * follow meanwhile. Throws not_found (also for somebody else's scan), undo_too_late, undo_impossible (not a scan that
 * can be undone, or another event has followed).
 */
export async function revertScan(deps: Deps, caller: StaffCaller, scanId: string): Promise<ScanResult> {
  return tx(deps.db, async (trx) => {
    const entry = await findOwnEvent(trx, caller.userId, scanId)
    const row = entry && (await lockParcelById(trx, entry.parcel_id))
    if (!entry || !row) throw new AppError('not_found')
    const before = stateBefore(entry.event)
    const columns = restoredColumns(entry.detail)
    const last = await findLastEvent(trx, row.id, row.created_at)
    if (!before || !columns || entry.from_status === null || last?.id !== scanId) throw new AppError('undo_impossible')
    const at = deps.clock.now()
    const { recordedAt } = entry.detail
    const recorded = typeof recordedAt === 'string' ? new Date(recordedAt) : entry.at
    if (at >= undoDeadline(recorded)) throw new AppError('undo_too_late')
    const handedOver = before.handedOver ?? row.handed_over
    const eventId = newId()
    const move = {
      row,
      status: entry.from_status,
      trackingStatus: toTrackingStatus(entry.from_status, handedOver),
      handedOver,
      leg: before.leg ?? row.leg,
      eventId,
      changes: columns,
    }
    const facts: EventFacts = {
      event: undoneEvent,
      at,
      actorId: caller.userId,
      stationId: entry.station_id,
      place: entry.place,
      note: null,
      detail: { undone: entry.event, scanId },
    }
    const [after] = await applyMoves(trx, { moves: [move], facts })
    if (!after) throw new AppError('version_conflict')
    await restoreTask(trx, row, entry.detail, at)
    const scan = toScanEvent(entry.event)
    return {
      id: eventId,
      at: at.toISOString(),
      trackingNumber: (row as ParcelRow).tracking_number ?? '',
      event: scan ?? 'arrived',
      fromStatus: row.status,
      toStatus: after.status,
      stationId: entry.station_id,
      place: entry.place,
      undoUntil: null,
      rightStation: null,
    }
  })
}
