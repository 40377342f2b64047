// The sender's answer to a re-weighing: accepted, contested, or nothing until the deadline.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { contestWeighing, Weighing } from '@waybill/contract/parcels/weighing'
import { customerActivity, recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { forEachBatch } from '../../../jobs/each-item.ts'
import { lockOpenAccount } from '../../accounts/service.ts'
import { claimAttachments } from '../../attachments/service.ts'
import { notify } from '../../notifications/notify.ts'
import { lockParcels } from '../transition.ts'
import {
  acceptSilent,
  clearContestUntil,
  findCurrentWeighing,
  takeSilent,
  updateWeighing,
  type WeighingChanges,
  type WeighingRow,
} from './queries.ts'
import { presentOneWeighing } from './shown.ts'
import { isAnswerable, nextWeighingState, type WeighingEvent } from './status.ts'

/** Locks a parcel and its current re-weighing, in this order, before the deadline. Throws not_found, contest_over. */
async function lockForAnswer(deps: Deps, trx: Tx, caller: CustomerCaller, parcelId: string) {
  const [parcel] = await lockParcels(trx, caller.accountId, [parcelId], caller)
  const row = await findCurrentWeighing(trx, caller.accountId, parcelId, { lock: true })
  if (!parcel || !row) throw new AppError('not_found')
  if (!isAnswerable(row, deps.clock.now())) throw new AppError('contest_over', { details: { state: row.state } })
  return { parcel, row }
}

/** Moves a locked re-weighing along its transition table. Throws contest_over, version_conflict. */
export async function stepWeighing(
  trx: Tx,
  row: WeighingRow,
  event: WeighingEvent,
  changes: WeighingChanges,
): Promise<WeighingRow> {
  const state = nextWeighingState(row.state, event)
  if (!state) throw new AppError('contest_over', { details: { state: row.state } })
  const updated = await updateWeighing(trx, row, { ...changes, state })
  if (!updated) throw new AppError('version_conflict')
  return updated
}

/** The sender accepts the weight. Throws not_found, contest_over. */
export async function acceptWeight(deps: Deps, caller: CustomerCaller, parcelId: string): Promise<Weighing> {
  const row = await tx(deps.db, async (trx) => {
    const weighing = await lockForAnswer(deps, trx, caller, parcelId)
    await clearContestUntil(trx, caller.accountId, parcelId)
    await recordActivity(trx, customerActivity(caller, 'parcels.weight_accepted', [parcelId], deps.clock.now()))
    return stepWeighing(trx, weighing.row, 'accept', {})
  })
  return presentOneWeighing(deps, deps.db, row)
}

/**
 * The sender contests the weight, and staff decide. Throws not_found, contest_over, account_closed, validation
 * (photos).
 */
export async function contestWeight(
  deps: Deps,
  caller: CustomerCaller,
  parcelId: string,
  { reason, photoIds }: BodyOf<typeof contestWeighing>,
): Promise<Weighing> {
  const row = await tx(deps.db, async (trx) => {
    const weighing = await lockForAnswer(deps, trx, caller, parcelId)
    const { accountId } = caller
    await lockOpenAccount(trx, accountId)
    const subject = { kind: 'weighing', id: weighing.row.id, accountId, purpose: 'dispute_photo' as const }
    await claimAttachments(deps, trx, photoIds, caller, { ...subject, field: 'photoIds' })
    await clearContestUntil(trx, accountId, parcelId)
    const now = deps.clock.now()
    const contested = await stepWeighing(trx, weighing.row, 'contest', {
      reason,
      photo_ids: [...new Set(photoIds)],
      contested_by: caller.userId,
      contested_at: now,
    })
    await recordActivity(trx, customerActivity(caller, 'parcels.weight_contested', [parcelId], now))
    const facts = { number: weighing.parcel.tracking_number }
    await notify(deps, trx, { kind: 'weight_contested', to: { staff: 'staff.finance' }, facts })
    return contested
  })
  return presentOneWeighing(deps, deps.db, row)
}

const batch = 500

/** The job that accepts re-weighings whose deadline has passed without an answer. */
export async function closeSilent(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  await forEachBatch(
    deps.db,
    batch,
    (trx, limit, except) => takeSilent(trx, now, limit, except),
    (trx, rows) => acceptSilent(trx, now, rows),
  )
}
