// Ends the re-weighing that holds a parcel: it was wrong, or the parcel is lost.
import { weighingCorrectionMinutes } from '@waybill/contract/parcels/weighing'
import type { DbOrTx, Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type StaffCaller } from '../../../http/caller.ts'
import { later, minutes } from '../../../lib/clock.ts'
import type { ParcelRow } from '../queries.ts'
import { collectionAfterHold } from '../self-collection/holding.ts'
import { transitionForbidden, transitionParcels } from '../transition.ts'
import { stepWeighing } from './answers.ts'
import { findCurrentWeighing, type WeighingRow } from './queries.ts'
import { isPaid, nextWeighingState } from './status.ts'

/**
 * Withdraws the re-weighing that holds a locked parcel, so that the station can weigh it again. Allowed for 30 minutes,
 * at the same station, while nobody has paid, accepted or contested. Returns the parcel, which is no longer held.
 * Throws transition_forbidden where the re-weighing cannot be withdrawn.
 */
export async function withdrawWeighing(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  parcel: ParcelRow,
): Promise<ParcelRow> {
  const weighing = await findCurrentWeighing(trx, asAccountId(parcel.account_id), parcel.id, { lock: true })
  const now = deps.clock.now()
  if (!weighing || !isCorrectable(weighing, caller, now)) throw transitionForbidden(parcel, 'reweighed_heavier')
  await stepWeighing(trx, weighing, 'withdraw', { decided_by: caller.userId, decided_at: now, contest_until: null })
  const [released] = await transitionParcels(
    deps,
    trx,
    [parcel],
    'difference_waived',
    { actorId: caller.userId, stationId: weighing.station_id, detail: { weighingId: weighing.id } },
    (row) => ({
      ...collectionAfterHold(deps, row),
      amount_due_minor: 0,
      contest_until: null,
      actual_grams: null,
    }),
  )
  return released as ParcelRow
}

/** Waives the unpaid difference for which a locked parcel was held until it was lost. A dispute about it is decided. */
export async function waiveForLoss(trx: Tx, parcel: ParcelRow, actorId: string, at: Date): Promise<void> {
  if (!isHeldUnpaid(parcel)) return
  const weighing = await findCurrentWeighing(trx, asAccountId(parcel.account_id), parcel.id, { lock: true })
  if (!weighing || isPaid(weighing) || nextWeighingState(weighing.state, 'lost') === null) return
  await stepWeighing(trx, weighing, 'lost', {
    price_after: weighing.price_before,
    difference_minor: 0,
    contest_until: null,
    ...(weighing.state === 'contested' ? { decided_by: actorId, decided_at: at } : {}),
  })
}

/** Whether a parcel is held at a station for a difference that is not paid. */
export const isHeldUnpaid = ({ status, handed_over }: ParcelRow) => status === 'outstanding' && handed_over

/** Whether the sender contests the difference for which a parcel is held. */
export async function isDisputed(db: DbOrTx, parcel: ParcelRow): Promise<boolean> {
  if (!isHeldUnpaid(parcel)) return false
  return (await findCurrentWeighing(db, asAccountId(parcel.account_id), parcel.id))?.state === 'contested'
}

/** Until when this member of staff may weigh a held parcel again; null when they may not. */
export async function correctableUntil(deps: Deps, caller: StaffCaller, parcel: ParcelRow): Promise<Date | null> {
  if (!isHeldUnpaid(parcel)) return null
  const weighing = await findCurrentWeighing(deps.db, asAccountId(parcel.account_id), parcel.id)
  return weighing && isCorrectable(weighing, caller, deps.clock.now()) ? endOfCorrection(weighing) : null
}

const endOfCorrection = ({ created_at }: WeighingRow) => later(created_at, minutes(weighingCorrectionMinutes))

function isCorrectable(weighing: WeighingRow, caller: StaffCaller, now: Date): boolean {
  const sameStation = caller.stationId === null || caller.stationId === weighing.station_id
  return weighing.state === 'open' && weighing.paid_minor <= 0 && sameStation && endOfCorrection(weighing) > now
}
