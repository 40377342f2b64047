// The sender's delivery choice after a failed delivery: options, fee, and the choice itself.
import { decide } from '@waybill/contract/ground/access'
import type { DeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { recordActivity } from '../../../activity.ts'
import type { DbOrTx, Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { onlyCreatedBy } from '../access.ts'
import { carrierHasParcel, isWithOtherCarrier } from '../carrier-handover/with-other-carrier.ts'
import { findParcels, type ParcelRow, updateParcel } from '../queries.ts'
import { insertNote } from '../queries-transition.ts'
import { toTrackingStatus } from '../status.ts'
import { lockParcels, transitionForbidden, transitionParcels } from '../transition.ts'
import { type ChoiceDetails, type Chooser, sharedView } from './options.ts'
import { type Plan, planChoice } from './plan.ts'
import {
  type ChoiceRow,
  choiceAfter,
  type FailedAttemptRow,
  findLastFailure,
  insertChoices,
  setPaidOrder,
} from './queries.ts'

async function senderView(deps: Deps, db: DbOrTx, row: ParcelRow): Promise<DeliveryChoice> {
  if (!row.receiver) throw new AppError('not_found')
  return { parcelId: row.id, receiver: row.receiver, ...(await sharedView(deps, db, row, 'sender')) }
}

/**
 * The options after a failed delivery; a caller who may not pay gets only the free ones. Throws not_found,
 * transition_forbidden.
 */
export async function readDeliveryChoice(deps: Deps, caller: CustomerCaller, id: string): Promise<DeliveryChoice> {
  const [row] = await findParcels(deps.db, caller.accountId, [id], onlyCreatedBy(caller))
  if (!row) throw new AppError('not_found')
  const view = await senderView(deps, deps.db, row)
  if (decide('pay.owed', caller) === 'pass') return view
  const options = view.options.map((option) =>
    option.open && option.feeMinor > 0 ? { ...option, open: false, reason: 'needs_pay_right' as const } : option,
  )
  return { ...view, options }
}

/** The fee of a choice before it is made. Throws the errors of the choice itself. */
export async function quoteChoice(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  details: ChoiceDetails,
): Promise<{ feeMinor: number; lines: PriceLine[]; otherZone: boolean; currency: string }> {
  const [row] = await findParcels(deps.db, caller.accountId, [id], onlyCreatedBy(caller))
  if (!row) throw new AppError('not_found')
  const failure = await failureToAnswer(deps.db, row)
  const { feeMinor, lines, otherZone } = await planChoice(deps, deps.db, row, failure, details, 'sender')
  return { feeMinor, lines, otherZone, currency: row.currency }
}

/** The failed attempt that waits for a choice. Throws carrier_has_parcel, transition_forbidden, already_chosen. */
export async function failureToAnswer(db: DbOrTx, row: ParcelRow): Promise<FailedAttemptRow> {
  if (isWithOtherCarrier(row)) throw carrierHasParcel(row)
  const failure = row.status === 'fail-to-deliver' && row.leg === 'outbound' ? await findLastFailure(db, row) : null
  if (!failure) throw transitionForbidden(row, 'diverted')
  const choice = await choiceAfter(db, asAccountId(row.account_id), row.id, failure.attempt)
  if (choice) throw new AppError('already_chosen', { details: { kind: choice.kind, by: choice.chosen_by } })
  return failure
}

const events = { retry: 'retry_chosen', correct: 'address_corrected' } as const

/** Writes a choice for a locked parcel: a transition if it goes to another station, else a note in its timeline. */
export async function applyChoice(
  deps: Deps,
  trx: Tx,
  row: ParcelRow,
  failure: FailedAttemptRow,
  details: ChoiceDetails,
  plan: Plan,
  { by, userId, recordedByStaff = false }: Chooser,
): Promise<ParcelRow> {
  const at = deps.clock.now()
  const { kind } = details
  const dearerPrice = plan.changes.price
  const choice: ChoiceRow = {
    account_id: asAccountId(row.account_id),
    parcel_id: row.id,
    attempt: failure.attempt,
    id: newId(),
    kind,
    chosen_by: by,
    user_id: userId,
    retry_on: kind === 'retry' ? details.date : null,
    station_id: kind === 'divert' ? details.stationId : null,
    receiver_before: kind === 'correct' ? row.receiver : null,
    price_before: dearerPrice ? row.price : null,
    paid_minor: dearerPrice ? dearerPrice.totalMinor - (row.price?.totalMinor ?? 0) : 0,
    paid_order_id: null,
    fee_minor: plan.feeMinor,
    currency: row.currency,
    at,
  }
  if (!(await insertChoices(trx, [choice]))) throw new AppError('already_chosen')
  await recordActivity(trx, {
    action: by === 'receiver' ? 'parcels.receiver_chose' : 'parcels.sender_chose',
    accountId: row.account_id,
    userId,
    subject: row.id,
    detail: { kind, ...(recordedByStaff ? { recordedByStaff } : {}) },
    at,
  })
  const detail = { choiceId: choice.id, by, ...(choice.retry_on ? { date: choice.retry_on } : {}) }
  if (kind === 'recall' || plan.travels) {
    const event = kind === 'recall' ? 'recalled' : kind === 'divert' ? 'diverted' : 'redirected'
    const movedBy = { actorId: userId, detail, nextStationId: plan.nextStationId }
    const [travelling] = await transitionParcels(deps, trx, [row], event, movedBy, () => plan.changes)
    return travelling as ParcelRow
  }
  const updated = await updateParcel(trx, row, { ...plan.changes, choice_made: true }, at)
  if (!updated) throw new AppError('version_conflict')
  const event = kind === 'correct' ? events.correct : events.retry
  const note = { id: newId(), event, at, actorId: userId, detail }
  await insertNote(trx, updated, toTrackingStatus(updated.status, updated.handed_over), note)
  return updated
}

type ChoiceOutcome = {
  row: ParcelRow
  lines: PriceLine[]
  /** Records the order on which `lines` were paid. */
  recordOrder: (orderId: string) => Promise<void>
  view: () => Promise<DeliveryChoice>
}

/**
 * Makes the sender's choice, in the transaction that pays its fee. Returns the updated parcel and the fee, whose order
 * the caller passes to `recordOrder`. Throws not_found, carrier_has_parcel, transition_forbidden, already_chosen,
 * choice_closed, price_changed (`details.expectedTotalMinor`, `details.totalMinor`), validation.
 */
export async function chooseAsSender(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  id: string,
  { expectedFeeMinor, ...details }: ChoiceDetails & { expectedFeeMinor: number },
): Promise<ChoiceOutcome> {
  const [row] = await lockParcels(trx, caller.accountId, [id], caller)
  if (!row) throw new AppError('not_found')
  const failure = await failureToAnswer(trx, row)
  const plan = await planChoice(deps, trx, row, failure, details, 'sender')
  if (plan.feeMinor !== expectedFeeMinor) {
    throw new AppError('price_changed', {
      details: { expectedTotalMinor: expectedFeeMinor, totalMinor: plan.feeMinor },
    })
  }
  const parcel = await applyChoice(deps, trx, row, failure, details, plan, { by: 'sender', userId: caller.userId })
  const { attempt } = failure
  const paidChoice = { account_id: caller.accountId, parcel_id: id, attempt }
  return {
    row: parcel,
    lines: plan.lines,
    recordOrder: (orderId) => setPaidOrder(trx, paidChoice, orderId),
    view: () => senderView(deps, trx, parcel),
  }
}
