// Contested weights: the staff's list and their decision.
import { isDeepStrictEqual } from 'node:util'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { NotificationKind } from '@waybill/contract/notifications/kinds'
import { type decideDispute, disputeTabs, type listDisputes, type Weighing } from '@waybill/contract/parcels/weighing'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { recordActivity } from '../../../activity.ts'
import { countTabs } from '../../../db/page.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { accountNames } from '../../accounts/service.ts'
import { fact } from '../../notifications/facts.ts'
import { repriceWithWeight } from '../../pricing/reprice.ts'
import { lockParcelById, type ParcelRow } from '../queries.ts'
import { chargedMeasures, getDimensions } from '../rules.ts'
import { collectionAfterHold } from '../self-collection/holding.ts'
import { transitionParcels } from '../transition.ts'
import { stepWeighing } from './answers.ts'
import { type DifferenceRefunds, getParcelService, notifySender } from './differences.ts'
import { lowerPrice } from './lower-price.ts'
import {
  countDisputes,
  type DisputeRow,
  findCurrentWeighing,
  findReadingsDuringDisputes,
  findWeighing,
  listDisputeRows,
  setCharged,
  type WeighingRow,
} from './queries.ts'
import { listChargedOrders } from './queries-paid.ts'
import { presentOneWeighing, presentWeighings } from './shown.ts'
import { isPaid, nextWeighingState } from './status.ts'

/** A page of contested weights, open or decided. */
export async function readDisputes(
  deps: Deps,
  { state, offset, limit }: QueryOf<typeof listDisputes>,
): Promise<ResponseOf<typeof listDisputes>> {
  const [rows, counts] = await Promise.all([
    listDisputeRows(deps.db, state, offset, limit),
    countTabs(disputeTabs, (tab) => countDisputes(deps.db, tab)),
  ])
  const readings = await findReadingsDuringDisputes(
    deps.db,
    rows.map(({ id }) => id),
  )
  const [weighings, presentedReadings, names] = await Promise.all([
    presentWeighings(deps, deps.db, rows),
    presentWeighings(deps, deps.db, [...readings.values()]),
    accountNames(deps.db, [...new Set(rows.map(({ account_id }) => account_id))]),
  ])
  const readingByParcel = new Map(presentedReadings.map((reading) => [reading.parcelId, reading]))
  const items = weighings.map((weighing, n) => ({
    ...weighing,
    declaredDimensions: declaredSize(rows[n]),
    accountName: names.get(rows[n]?.account_id ?? '') ?? '',
    contestedAt: rows[n]?.contested_at?.toISOString() ?? null,
    laterReading: readingByParcel.get(weighing.parcelId) ?? null,
  }))
  return { items, total: counts[state], offset, limit, counts }
}

function declaredSize(row: DisputeRow | undefined) {
  if (!row) return null
  const { declared_length_mm: length_mm, declared_width_mm: width_mm, declared_height_mm: height_mm } = row
  return getDimensions({ length_mm, width_mm, height_mm })
}

/**
 * Decides a contested weight. Overpayments are refunded; a held parcel without an amount due is released. Throws
 * not_found, version_conflict, contest_over (already decided), validation (`adjust` without a weight, or not below the
 * reading).
 */
export async function settleDispute(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  body: BodyOf<typeof decideDispute>,
  refunds: DifferenceRefunds,
): Promise<Weighing> {
  const dispute = await findWeighing(deps.db, id)
  if (!dispute) throw new AppError('not_found')
  const result = await tx(deps.db, async (trx) => {
    await refunds.lock(trx, await listChargedOrders(trx, dispute.parcel_id))
    const parcel = await lockParcelById(trx, dispute.parcel_id)
    const row = await findCurrentWeighing(trx, dispute.account_id, dispute.parcel_id, { lock: true })
    if (!parcel || row?.id !== id) throw new AppError('not_found')
    if (row.version !== body.version) throw new AppError('version_conflict')
    if (!nextWeighingState(row.state, body.decision)) {
      throw new AppError('contest_over', { details: { state: row.state } })
    }
    const after = await priceOfDecision(deps, parcel, row, body)
    const now = deps.clock.now()
    const decision = await stepWeighing(trx, row, body.decision, {
      price_after: after,
      difference_minor: after.totalMinor - row.price_before.totalMinor,
      decided_by: caller.userId,
      decided_at: now,
      decision_note: body.note,
    })
    await settleDecision(deps, trx, caller, {
      parcel,
      before: row,
      after: decision,
      refunds,
      kind: mailOfDecision(body.decision, row),
    })
    await recordActivity(trx, {
      action: 'parcels.weight_decided',
      level: 'NOTICE',
      accountId: row.account_id,
      userId: caller.userId,
      subject: row.id,
      detail: { decision: body.decision, from: row.difference_minor, to: decision.difference_minor },
      at: now,
    })
    return decision
  })
  return presentOneWeighing(deps, deps.db, result)
}

/** The price after a decision, between the previous price and the one by the reading. Throws validation. */
async function priceOfDecision(
  deps: Deps,
  parcel: ParcelRow,
  row: WeighingRow,
  body: BodyOf<typeof decideDispute>,
): Promise<PriceBreakdown> {
  if (body.decision === 'uphold') return row.price_after
  if (body.decision === 'waive') return row.price_before
  if (body.weightGrams === null) throw validationError({ field: 'weightGrams', rule: 'required' })
  const after = await repriceWithWeight(deps, row.price_before, getParcelService(parcel), {
    weightGrams: body.weightGrams,
    dimensions: body.dimensions ?? getDimensions(row),
  })
  // A decision cannot raise the price above the reading's, nor refund more than the difference.
  if (after.totalMinor >= row.price_after.totalMinor)
    throw validationError({ field: 'weightGrams', rule: 'notLighter' })
  return after.totalMinor < row.price_before.totalMinor ? row.price_before : after
}

/**
 * A price at the time of a reading, for the same weight now. It differs if the parcel's price has changed since the
 * reading, because the address was corrected.
 */
async function priceNow(
  deps: Deps,
  parcel: ParcelRow,
  reading: WeighingRow,
  then: PriceBreakdown,
): Promise<PriceBreakdown> {
  const { price } = parcel
  if (!price || isDeepStrictEqual(price, reading.price_after)) return then
  return repriceWithWeight(deps, price, getParcelService(parcel), chargedMeasures(parcel, then))
}

/** The mail about a decision; one that upholds the reading says whether the difference is still due. */
function mailOfDecision(decision: BodyOf<typeof decideDispute>['decision'], row: WeighingRow): NotificationKind {
  if (decision === 'uphold') return isPaid(row) ? 'weight_upheld_paid' : 'weight_upheld'
  return decision === 'adjust' ? 'weight_adjusted' : 'weight_waived'
}

type Decision = {
  parcel: ParcelRow
  before: WeighingRow
  after: WeighingRow
  refunds: DifferenceRefunds
  kind: NotificationKind
}

/** Refunds or waives the difference after a decision, and mails the sender. */
async function settleDecision(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  { parcel, before, after, refunds, kind }: Decision,
): Promise<void> {
  const accountId = before.account_id
  const isHeld = parcel.status === 'outstanding' && parcel.handed_over
  let amounts = { after: after.difference_minor, before: before.difference_minor }
  if (isPaid(before) && after.difference_minor < before.difference_minor) {
    const from = parcel.price ?? before.price_after
    const to = await priceNow(deps, parcel, before, after.price_after)
    const declared = await priceNow(deps, parcel, before, before.price_before)
    if (to.totalMinor < from.totalMinor) {
      await lowerPrice(trx, refunds, parcel, { from, to }, caller.userId)
      amounts = { after: to.totalMinor - declared.totalMinor, before: from.totalMinor - declared.totalMinor }
    }
  }
  if (!isPaid(before) && isHeld) {
    const due = after.difference_minor
    if (due > 0) await setCharged(trx, accountId, parcel.id, { dueMinor: due })
    else {
      await transitionParcels(
        deps,
        trx,
        [parcel],
        'difference_waived',
        { actorId: caller.userId, stationId: before.station_id, detail: { weighingId: before.id } },
        (row) => ({ ...collectionAfterHold(deps, row), amount_due_minor: 0, contest_until: null }),
      )
    }
  }
  await notifySender(deps, trx, parcel, kind, {
    note: after.decision_note,
    amount: fact.money(amounts.after, before.currency),
    before: fact.money(amounts.before, before.currency),
  })
}
