import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/endpoint'
import type { Locale } from '@waybill/contract/enums'
import type { PriceBreakdown, PriceLine } from '@waybill/contract/pricing'
import type { contestWeighing, decideDispute, listDisputes, reweighParcel, Weighing } from '@waybill/contract/weighing'
import { recordActivity } from '../../activity.ts'
import { type DbOrTx, type Tx, tx, txFlushedAfter } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { type AccountId, asAccountId, type CustomerCaller, type StaffCaller } from '../../http/caller.ts'
import { AppError, invalid } from '../../http/errors.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { addJob } from '../../jobs.ts'
import { hours, later } from '../../lib/clock.ts'
import { formatDate, formatMoney, formatWeight } from '../../lib/format.ts'
import { newId } from '../../lib/ids.ts'
import { accountById, userById } from '../accounts/service.ts'
import { attachmentsById, claimAttachments } from '../attachments/service.ts'
import { differenceLines, type Reading, repriceWithWeight } from '../pricing/service.ts'
import { stationsById } from '../stations/service.ts'
import { visibleBy } from './access.ts'
import { lockParcels, moveParcels, transitionForbidden } from './moves.ts'
import { presentWeighing } from './present-weighing.ts'
import type { ParcelRow } from './queries.ts'
import { parcelsByIds } from './queries-list.ts'
import {
  acceptSilence,
  disputeRows,
  insertWeighing,
  latestWeighing,
  latestWeighings,
  markDifferencesPaid,
  ordersCharged,
  paidDifferences,
  parcelByIdForUpdate,
  setCharged,
  setContestUntil,
  takeOffPaid,
  updateWeighing,
  type WeighingChanges,
  type WeighingRow,
  weighingById,
} from './queries-weighing.ts'
import { nextState } from './status.ts'
import { nextWeighingState, type WeighingEvent } from './weighing-status.ts'

const sumOf = (lines: readonly PriceLine[]) => lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/** The re-weighing as the contract shows it, with its station and photos. */
async function shown(deps: Deps, db: DbOrTx, rows: readonly WeighingRow[]): Promise<Weighing[]> {
  const photoIds = rows.flatMap(({ photo_id, photo_ids }) => [...(photo_id ? [photo_id] : []), ...photo_ids])
  const [stations, photos] = await Promise.all([
    stationsById(db, [...new Set(rows.flatMap(({ station_id }) => station_id ?? []))]),
    attachmentsById(deps, db, photoIds),
  ])
  return rows.map((row) => presentWeighing(row, stations.get(row.station_id ?? '')?.name ?? null, photos))
}

async function one(deps: Deps, db: DbOrTx, row: WeighingRow): Promise<Weighing> {
  const [weighing] = await shown(deps, db, [row])
  return weighing as Weighing
}

/** What a parcel is sent as; a parcel that was handed over has all of it. */
function serviceOf({ scope, service_type, carrier }: ParcelRow) {
  return { scope, serviceType: service_type ?? ('e_parcel' as const), carrier: carrier ?? ('own' as const) }
}

const declaredSize = (row: ParcelRow) =>
  row.length_mm === null || row.width_mm === null || row.height_mm === null
    ? null
    : { lengthMm: row.length_mm, widthMm: row.width_mm, heightMm: row.height_mm }

/** What a reading costs beside what was paid for: within the tolerance nothing changes, and less is given back only where the deployment does so. */
async function priceOfReading(
  deps: Deps,
  row: ParcelRow,
  before: PriceBreakdown,
  reading: Reading,
): Promise<PriceBreakdown> {
  const after = await repriceWithWeight(deps, before, serviceOf(row), reading)
  const more = Math.max(after.weightGrams, after.volumetricGrams) - Math.max(before.weightGrams, before.volumetricGrams)
  if (Math.abs(more) <= deps.settings.get('weighing.toleranceGrams')) return before
  if (after.totalMinor < before.totalMinor && !deps.settings.get('weighing.refundLighter')) return before
  return after
}

/** What was paid too much on one order: its own, or the one on which a difference was paid. */
export type Overpaid = { parcel: ParcelRow; orderId: string | null; lines: PriceLine[]; actorId: string }

/** How money of orders goes back; orders stand above parcels, so whoever weighs or decides hands this in. */
export type DifferenceRefunds = {
  /** Locks orders before their parcel, as everywhere. */
  lock(trx: Tx, orderIds: readonly string[]): Promise<void>
  give(trx: Tx, overpaid: Overpaid): Promise<void>
}

/**
 * Weighs a parcel at a station. Heavier: it is held until the difference is paid, and its sender may contest until the deadline. Lighter: the difference goes back the
 * way it was paid. Within the tolerance: noted. Throws not_found, transition_forbidden (not at a station), validation (photo).
 */
export async function reweigh(
  deps: Deps,
  caller: StaffCaller,
  parcelId: string,
  body: BodyOf<typeof reweighParcel>,
  { idempotency, refunds }: { idempotency: Idempotency; refunds: DifferenceRefunds },
): Promise<Weighing> {
  return txFlushedAfter(deps.db, async (trx) => {
    await refunds.lock(trx, await ordersCharged(trx, parcelId))
    const row = await parcelByIdForUpdate(trx, parcelId)
    if (!row?.tracking_number) throw new AppError('not_found')
    const state = { status: row.status, deliveryMode: row.delivery_mode, handedOver: row.handed_over, leg: row.leg }
    const before = row.price
    if (!nextState(state, 'reweighed_heavier') || row.leg !== 'outbound')
      throw transitionForbidden(row, 'reweighed_heavier')
    // What came from before prices were kept, or from elsewhere, has nothing to be held against.
    if (!before) throw new AppError('conflict')
    // Staff serve every account's parcels: the parcel itself says whose it is.
    const accountId = asAccountId(row.account_id)
    const dimensions = body.dimensions ?? declaredSize(row)
    const after = await priceOfReading(deps, row, before, { weightGrams: body.weightGrams, dimensions })
    const differenceMinor = after.totalMinor - before.totalMinor
    const now = deps.clock.now()
    const id = newId()
    if (body.photoId) {
      const subject = { kind: 'weighing', id, accountId, purpose: 'reweigh_photo' as const, field: 'photoId' }
      await claimAttachments(deps, trx, [body.photoId], caller, subject)
    }
    const stationId = caller.stationId ?? row.station_id
    const contestUntil = differenceMinor > 0 ? later(now, hours(deps.settings.get('weighing.contestHours'))) : null
    const made = await insertWeighing(trx, {
      account_id: accountId,
      id,
      parcel_id: row.id,
      tracking_number: row.tracking_number,
      state: differenceMinor > 0 ? 'open' : 'noted',
      station_id: stationId,
      weighed_by: caller.userId,
      weight_grams: body.weightGrams,
      length_mm: dimensions?.lengthMm ?? null,
      width_mm: dimensions?.widthMm ?? null,
      height_mm: dimensions?.heightMm ?? null,
      scale_reading: body.scaleReading,
      photo_id: body.photoId,
      declared_grams: row.weight_grams ?? before.weightGrams,
      price_before: before,
      price_after: after,
      difference_minor: differenceMinor,
      paid_minor: Math.min(0, differenceMinor),
      currency: before.currency,
      contest_until: contestUntil,
      created_at: now,
    })
    if (differenceMinor > 0) await holdForDifference(deps, trx, caller, row, made)
    else if (differenceMinor < 0) {
      await giveBackLighter(trx, refunds, row, before, after, caller.userId)
      await setCharged(trx, accountId, row.id, { price: after })
    }
    await recordActivity(trx, {
      action: 'parcels.reweighed',
      accountId,
      userId: caller.userId,
      subject: row.id,
      detail: { weighingId: id, weightGrams: body.weightGrams, declaredGrams: made.declared_grams, differenceMinor },
      at: now,
    })
    const answer = await one(deps, trx, made)
    await idempotency.keep(trx, answer)
    return answer
  })
}

async function holdForDifference(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  row: ParcelRow,
  made: WeighingRow,
): Promise<void> {
  const station = made.station_id ? (await stationsById(trx, [made.station_id])).get(made.station_id) : undefined
  await moveParcels(
    deps,
    trx,
    [row],
    'reweighed_heavier',
    {
      actorId: caller.userId,
      stationId: made.station_id,
      place: station?.city ?? null,
      detail: {
        weighingId: made.id,
        weightGrams: made.weight_grams,
        scaleReading: made.scale_reading,
        photoId: made.photo_id,
        amountDueMinor: made.difference_minor,
      },
    },
    () => ({
      actual_grams: made.weight_grams,
      amount_due_minor: made.difference_minor,
      contest_until: made.contest_until,
    }),
  )
  await tellSender(deps, trx, row, 'reweighed', (locale) => ({
    declared: formatWeight(made.declared_grams, deps.settings.get('units.weight'), locale),
    actual: formatWeight(made.weight_grams, deps.settings.get('units.weight'), locale),
    amount: formatMoney(made.difference_minor, made.currency, locale),
    until: moment(deps, made.contest_until ?? deps.clock.now(), locale),
  }))
}

const moment = ({ settings }: Deps, at: Date, locale: Locale) =>
  formatDate(at.toISOString(), settings.get('timezone'), settings.get('format.dateTime'), locale)

/** Mails whoever made the parcel, in their language, with the way to its page. */
export async function tellSender(
  deps: Deps,
  trx: Tx,
  row: ParcelRow,
  template: string,
  vars: (locale: Locale) => Record<string, unknown>,
): Promise<void> {
  const user = await userById(trx, row.created_by)
  if (!user) return
  const locale = user.language as Locale
  const url = `${deps.config.http.publicUrl}/parcels/${row.id}`
  const number = row.tracking_number
  await addJob(trx, 'mail:send', {
    to: user.email,
    template,
    locale,
    vars: { name: user.name, receiver: row.receiver?.contactName ?? '', number, url, ...vars(locale) },
  })
}

/** What a parcel costs less now goes back from where it was paid: differences paid last first, then its own order. */
async function giveBackLighter(
  trx: Tx,
  refunds: DifferenceRefunds,
  parcel: ParcelRow,
  before: PriceBreakdown,
  after: PriceBreakdown,
  actorId: string,
): Promise<void> {
  let charged = before
  for (const paid of await paidDifferences(trx, asAccountId(parcel.account_id), parcel.id)) {
    const kept = after.totalMinor > paid.price_before.totalMinor ? after : paid.price_before
    await giveBackOf(trx, refunds, paid, parcel, differenceLines(kept, charged), actorId)
    if (kept === after) return
    charged = kept
  }
  const lines = differenceLines(after, charged)
  if (sumOf(lines) > 0) await refunds.give(trx, { parcel, orderId: parcel.order_id, lines, actorId })
}

/** Some of a difference that was paid goes back, and is no longer there to be given back again. */
async function giveBackOf(
  trx: Tx,
  refunds: DifferenceRefunds,
  paid: Pick<WeighingRow, 'account_id' | 'id' | 'paid_order_id'>,
  parcel: ParcelRow,
  lines: PriceLine[],
  actorId: string,
): Promise<void> {
  if (sumOf(lines) <= 0) return
  await takeOffPaid(trx, paid.account_id, paid.id, sumOf(lines))
  await refunds.give(trx, { parcel, orderId: paid.paid_order_id, lines, actorId })
}

/** The latest re-weighing of a parcel that the caller may see, or null. Throws not_found. */
export async function weighingOf(
  deps: Deps,
  caller: CustomerCaller,
  parcelId: string,
): Promise<{ weighing: Weighing | null }> {
  const [parcel] = await parcelsByIds(deps.db, caller.accountId, [parcelId], visibleBy(caller))
  if (!parcel) throw new AppError('not_found')
  const row = await latestWeighing(deps.db, caller.accountId, parcelId)
  return { weighing: row && (await one(deps, deps.db, row)) }
}

/** Locks a parcel and its latest re-weighing, in this order, for the sender's answer while there is time. Throws not_found, contest_over. */
async function lockForAnswer(deps: Deps, trx: Tx, caller: CustomerCaller, parcelId: string) {
  const [parcel] = await lockParcels(trx, caller.accountId, [parcelId], caller)
  const row = await latestWeighing(trx, caller.accountId, parcelId, { lock: true })
  if (!parcel || !row) throw new AppError('not_found')
  const over = row.contest_until === null || row.contest_until <= deps.clock.now()
  if (row.state !== 'open' || over) throw new AppError('contest_over', { details: { state: row.state } })
  return { parcel, row }
}

async function step(trx: Tx, row: WeighingRow, event: WeighingEvent, changes: WeighingChanges): Promise<WeighingRow> {
  const state = nextWeighingState(row.state, event)
  if (!state) throw new AppError('contest_over', { details: { state: row.state } })
  const updated = await updateWeighing(trx, row, { ...changes, state })
  if (!updated) throw new AppError('version_conflict')
  return updated
}

/** The sender accepts the weight. Throws not_found, contest_over. */
export async function acceptWeight(deps: Deps, caller: CustomerCaller, parcelId: string): Promise<Weighing> {
  const row = await tx(deps.db, async (trx) => {
    const found = await lockForAnswer(deps, trx, caller, parcelId)
    await setContestUntil(trx, caller.accountId, parcelId, null)
    return step(trx, found.row, 'accept', {})
  })
  return one(deps, deps.db, row)
}

/** The sender contests the weight: staff decides. Throws not_found, contest_over, validation (photos). */
export async function contestWeight(
  deps: Deps,
  caller: CustomerCaller,
  parcelId: string,
  { reason, photoIds }: BodyOf<typeof contestWeighing>,
): Promise<Weighing> {
  const row = await tx(deps.db, async (trx) => {
    const found = await lockForAnswer(deps, trx, caller, parcelId)
    const { accountId } = caller
    const subject = { kind: 'weighing', id: found.row.id, accountId, purpose: 'dispute_photo' as const }
    await claimAttachments(deps, trx, photoIds, caller, { ...subject, field: 'photoIds' })
    await setContestUntil(trx, accountId, parcelId, null)
    const now = deps.clock.now()
    return step(trx, found.row, 'contest', {
      reason,
      photo_ids: [...new Set(photoIds)],
      contested_by: caller.userId,
      contested_at: now,
    })
  })
  return one(deps, deps.db, row)
}

/** Contested weights for staff. */
export async function disputes(
  deps: Deps,
  { state, offset, limit }: QueryOf<typeof listDisputes>,
): Promise<ResponseOf<typeof listDisputes>> {
  const { rows, total } = await disputeRows(deps.db, state === 'decided', offset, limit)
  const weighings = await shown(deps, deps.db, rows)
  const ids = [...new Set(rows.map(({ account_id }) => account_id))]
  const accounts = await Promise.all(ids.map((id) => accountById(deps.db, id)))
  const names = new Map(ids.map((id, n) => [id as string, accounts[n]?.name ?? '']))
  const items = weighings.map((weighing, n) => ({
    ...weighing,
    accountName: names.get(rows[n]?.account_id ?? '') ?? '',
    contestedAt: rows[n]?.contested_at?.toISOString() ?? null,
  }))
  return { items, total, offset, limit }
}

/**
 * Staff decides a contested weight. What was paid too much goes back the way it was paid; where nothing is left to pay, a parcel that was held goes on.
 * Throws not_found, version_conflict, contest_over (decided already), validation (`adjust` without a weight, or not below the reading).
 */
export async function decide(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  body: BodyOf<typeof decideDispute>,
  refunds: DifferenceRefunds,
): Promise<Weighing> {
  const known = await weighingById(deps.db, id)
  if (!known) throw new AppError('not_found')
  const decided = await txFlushedAfter(deps.db, async (trx) => {
    await refunds.lock(trx, await ordersCharged(trx, known.parcel_id))
    const parcel = await parcelByIdForUpdate(trx, known.parcel_id)
    const row = await latestWeighing(trx, known.account_id, known.parcel_id, { lock: true })
    if (!parcel || row?.id !== id) throw new AppError('not_found')
    if (row.version !== body.version) throw new AppError('version_conflict')
    if (!nextWeighingState(row.state, body.decision)) {
      throw new AppError('contest_over', { details: { state: row.state } })
    }
    const after = await decidedPrice(deps, parcel, row, body)
    const now = deps.clock.now()
    const next = await step(trx, row, body.decision, {
      price_after: after,
      difference_minor: after.totalMinor - row.price_before.totalMinor,
      paid_minor: Math.min(row.paid_minor, after.totalMinor - row.price_before.totalMinor),
      decided_by: caller.userId,
      decided_at: now,
      decision_note: body.note,
    })
    await settleDecision(deps, trx, caller, { parcel, before: row, after: next, refunds })
    await recordActivity(trx, {
      action: 'parcels.weight_decided',
      level: 'NOTICE',
      accountId: row.account_id,
      userId: caller.userId,
      subject: row.id,
      detail: { decision: body.decision, from: row.difference_minor, to: next.difference_minor },
      at: now,
    })
    return next
  })
  return one(deps, deps.db, decided)
}

async function decidedPrice(
  deps: Deps,
  parcel: ParcelRow,
  row: WeighingRow,
  body: BodyOf<typeof decideDispute>,
): Promise<PriceBreakdown> {
  if (body.decision === 'uphold') return row.price_after
  if (body.decision === 'waive') return row.price_before
  if (body.weightGrams === null) throw invalid({ field: 'weightGrams', rule: 'required' })
  const size =
    row.length_mm === null || row.width_mm === null || row.height_mm === null
      ? null
      : { lengthMm: row.length_mm, widthMm: row.width_mm, heightMm: row.height_mm }
  const after = await repriceWithWeight(deps, row.price_before, serviceOf(parcel), {
    weightGrams: body.weightGrams,
    dimensions: body.dimensions ?? size,
  })
  // A decision never makes it dearer than the reading, nor gives back more than the difference.
  if (after.totalMinor >= row.price_after.totalMinor) throw invalid({ field: 'weightGrams', rule: 'notLighter' })
  return after.totalMinor < row.price_before.totalMinor ? row.price_before : after
}

type Decided = { parcel: ParcelRow; before: WeighingRow; after: WeighingRow; refunds: DifferenceRefunds }

async function settleDecision(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  { parcel, before, after, refunds }: Decided,
): Promise<void> {
  const accountId = before.account_id
  const held = parcel.status === 'outstanding' && parcel.handed_over
  const paid = before.paid_minor > 0
  if (paid && after.difference_minor < before.difference_minor) {
    const lines = differenceLines(after.price_after, before.price_after)
    await refunds.give(trx, { parcel, orderId: before.paid_order_id, lines, actorId: caller.userId })
    await setCharged(trx, accountId, parcel.id, { price: after.price_after })
  }
  if (!paid && held) {
    const due = after.difference_minor
    if (due > 0) await setCharged(trx, accountId, parcel.id, { dueMinor: due })
    else {
      await moveParcels(
        deps,
        trx,
        [parcel],
        'difference_waived',
        { actorId: caller.userId, stationId: before.station_id, detail: { weighingId: before.id } },
        () => ({ amount_due_minor: 0, contest_until: null }),
      )
    }
  }
  const amount = (minor: number) => (locale: Locale) => formatMoney(minor, before.currency, locale)
  await tellSender(deps, trx, parcel, `weight_${after.state}`, (locale) => ({
    note: after.decision_note ?? '',
    amount: amount(after.difference_minor)(locale),
    before: amount(before.difference_minor)(locale),
  }))
}

const batch = 500

/** The job behind the clock: who has said nothing until the deadline has accepted. */
export async function closeSilent(deps: Deps): Promise<void> {
  for (let closed = batch; closed === batch; ) {
    closed = await tx(deps.db, (trx) => acceptSilence(trx, deps.clock.now(), batch))
  }
}

/** The differences that keep locked parcels: by parcel, what is due and its lines. For payments. */
export async function differencesOf(
  trx: DbOrTx,
  accountId: AccountId,
  rows: readonly ParcelRow[],
  { lock }: { lock: boolean },
): Promise<Map<string, { weighing: WeighingRow; lines: PriceLine[] }>> {
  const found = await latestWeighings(
    trx,
    accountId,
    rows.map(({ id }) => id),
    { lock },
  )
  return new Map(
    [...found].map(([id, weighing]) => [
      id,
      { weighing, lines: differenceLines(weighing.price_before, weighing.price_after) },
    ]),
  )
}

/** Differences of locked, held parcels are paid: they go on, and are charged by the new weight from now on. One contest may still be open. */
export async function settleDifferences(
  deps: Deps,
  trx: Tx,
  accountId: AccountId,
  rows: readonly ParcelRow[],
  weighings: ReadonlyMap<string, { weighing: WeighingRow }>,
  by: { actorId: string | null; stationId?: string | null; chargeId: string | null },
): Promise<ParcelRow[]> {
  if (rows.length === 0) return []
  const of = (row: ParcelRow) => weighings.get(row.id)?.weighing as WeighingRow
  await markDifferencesPaid(
    trx,
    accountId,
    rows.map((row) => of(row).id),
    by.chargeId,
  )
  return moveParcels(
    deps,
    trx,
    rows,
    'difference_paid',
    { actorId: by.actorId, stationId: by.stationId ?? null },
    (row) => {
      const price = of(row).price_after
      return {
        amount_due_minor: 0,
        price,
        price_minor: price.totalMinor,
        chargeable_grams: price.chargeableGrams,
        volumetric_grams: price.volumetricGrams,
      }
    },
  )
}
