// Parcels that the courier has lost (docs/decisions/0100-lost-parcels.md).
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { declareLost } from '@waybill/contract/parcels/scanning'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { requireOwnStation } from '../custody/service.ts'
import { lockParcelById, type ParcelRow } from '../queries.ts'
import { endTask } from '../scanning/rider-tasks.ts'
import { transitionParcel } from '../transition.ts'
import { waiveForLoss } from '../weighing/withdraw-weighing.ts'

/**
 * Ends the journey of a locked parcel as lost: its delivery task fails, and nothing is due for it any more. Throws
 * transition_forbidden.
 */
export async function markLost(
  deps: Deps,
  trx: Tx,
  parcel: ParcelRow,
  { actorId, note }: { actorId: string; note: string | null },
): Promise<ParcelRow> {
  const at = deps.clock.now()
  const lostParcel = await transitionParcel(deps, trx, parcel, 'lost', { actorId, note, at }, () => ({
    amount_due_minor: 0,
    contest_until: null,
    collect_until: null,
    choice_made: null,
    gunny_id: null,
    // Nobody has it, but the station where it was last known, or expected, lists it.
    station_id: parcel.station_id ?? parcel.next_station_id ?? parcel.drop_off_station_id,
  }))
  await waiveForLoss(trx, parcel, actorId, at)
  await endTask(trx, lostParcel, 'attempt_failed', 'other', at)
  await recordActivity(trx, {
    action: 'parcels.lost',
    level: 'WARNING',
    accountId: parcel.account_id,
    userId: actorId,
    subject: parcel.id,
    // The note is in the timeline: stored twice, it would be erased once.
    detail: { from: parcel.status },
    at,
  })
  return lostParcel
}

/**
 * A supervisor declares a parcel lost, with a note for its sender, who gets a mail. Returns its tracking number. Throws
 * not_found, version_conflict, task_other_station (it is at another station), transition_forbidden.
 */
export async function declareParcelLost(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, note }: BodyOf<typeof declareLost>,
): Promise<string> {
  return tx(deps.db, async (trx) => {
    const row = await lockParcelById(trx, id)
    if (!row?.tracking_number) throw new AppError('not_found')
    if (row.version !== version) throw new AppError('version_conflict', { details: { version: row.version } })
    requireOwnStation(caller, row.station_id)
    const lostParcel = await markLost(deps, trx, row, { actorId: caller.userId, note })
    await notifySender(deps, trx, lostParcel, note)
    return row.tracking_number
  })
}

async function notifySender(deps: Deps, trx: Tx, row: ParcelRow, note: string): Promise<void> {
  await notify(deps, trx, {
    kind: 'parcel_lost',
    to: { users: [row.created_by] },
    subjectId: row.id,
    facts: {
      number: row.tracking_number,
      receiver: row.receiver?.contactName ?? '',
      note,
      next: fact.phrase(row.insured_value_minor ? 'lostParcelNext.insured' : 'lostParcelNext.uninsured'),
    },
  })
}
