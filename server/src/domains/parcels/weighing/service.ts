// A station weighs a parcel again: the price by the scale, compared with the price that was paid.

import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { reweighParcel, Weighing } from '@waybill/contract/parcels/weighing'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { hours, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { isWalkInAccount } from '../../accounts/walk-in-sender.ts'
import { claimAttachments } from '../../attachments/service.ts'
import { fact } from '../../notifications/facts.ts'
import { repriceWithWeight, type ScaleReading } from '../../pricing/reprice.ts'
import { findStationsById } from '../../stations/service.ts'
import { requireHeld, staffScanner } from '../custody/service.ts'
import { lockParcelById, type ParcelRow } from '../queries.ts'
import { getDimensions } from '../rules.ts'
import { getParcelState, nextParcelState } from '../status.ts'
import { transitionForbidden, transitionParcels } from '../transition.ts'
import { stepWeighing } from './answers.ts'
import { type DifferenceRefunds, getParcelService, notifySender } from './differences.ts'
import { lowerPrice } from './lower-price.ts'
import { clearContestUntil, findCurrentWeighing, insertWeighing, updateWeighing, type WeighingRow } from './queries.ts'
import { listChargedOrders } from './queries-paid.ts'
import { presentOneWeighing } from './shown.ts'
import { isAnswerable } from './status.ts'
import { isDisputed, isHeldUnpaid, withdrawWeighing } from './withdraw-weighing.ts'

/**
 * The price by a reading of the scale. It is the previous price if the difference is within the tolerance, or if a
 * lower price is not refunded (setting `weighing.refundLighter`).
 */
async function priceOfReading(
  deps: Deps,
  row: ParcelRow,
  before: PriceBreakdown,
  reading: ScaleReading,
): Promise<PriceBreakdown> {
  const after = await repriceWithWeight(deps, before, getParcelService(row), reading)
  const more = Math.max(after.weightGrams, after.volumetricGrams) - Math.max(before.weightGrams, before.volumetricGrams)
  if (Math.abs(more) <= deps.settings.get('weighing.toleranceGrams')) return before
  if (after.totalMinor < before.totalMinor && !deps.settings.get('weighing.refundLighter')) return before
  return after
}

/**
 * Whether a new reading may change the price. During a dispute it may not: staff see the reading, and decide. While a
 * paid difference can be contested, it may only become smaller. So at most one difference is open or contested.
 */
function mayChangePrice(current: WeighingRow | null, differenceMinor: number, now: Date): boolean {
  if (!current) return true
  return current.state !== 'contested' && (differenceMinor < 0 || !isAnswerable(current, now))
}

/**
 * Whether a parcel can be weighed in its state: on its way to the receiver. While a disputed difference is unpaid, a
 * reading is only noted. A walk-in was weighed by our own clerk, and has no account to charge or to refund.
 */
export function mayBeWeighed(row: ParcelRow, disputed: boolean): boolean {
  if (isWalkInAccount(row.account_id)) return false
  return row.leg === 'outbound' && (disputed || nextParcelState(getParcelState(row), 'reweighed_heavier') !== null)
}

/**
 * Weighs a parcel at a station. A heavier parcel is held until the difference is paid, and the sender may contest until
 * the deadline. The difference of a lighter one is refunded. A reading that may not change the price is only noted, so
 * that the parcel moves on (`mayChangePrice`). For a while the same station may weigh a held parcel again. Throws
 * not_found, weighed_at_counter (a walk-in), transition_forbidden (not at a station), custody_refused, weight_far_off
 * (until confirmed), validation.
 */
export async function reweigh(
  deps: Deps,
  caller: StaffCaller,
  parcelId: string,
  body: BodyOf<typeof reweighParcel>,
  { idempotency, refunds }: { idempotency: Idempotency; refunds: DifferenceRefunds },
): Promise<Weighing> {
  return tx(deps.db, async (trx) => {
    await refunds.lock(trx, await listChargedOrders(trx, parcelId))
    const parcel = await lockParcelById(trx, parcelId)
    if (!parcel?.tracking_number) throw new AppError('not_found')
    const disputed = await isDisputed(trx, parcel)
    const corrects = isHeldUnpaid(parcel) && !disputed
    const row = corrects ? await withdrawWeighing(deps, trx, caller, parcel) : parcel
    const before = row.price
    if (isWalkInAccount(row.account_id)) throw new AppError('weighed_at_counter')
    if (!mayBeWeighed(row, disputed)) throw transitionForbidden(row, 'reweighed_heavier')
    if (!body.confirmed) requirePlausibleWeight(row, body.weightGrams)
    const stationId = caller.stationId ?? row.station_id
    await requireHeld(trx, row, staffScanner(caller, stationId))
    // Without a stored price there is nothing to compare with.
    if (!before) throw new AppError('conflict')
    // Staff serve every account, so this is the parcel's account.
    const accountId = asAccountId(row.account_id)
    const dimensions = body.dimensions ?? getDimensions(row)
    const now = deps.clock.now()
    const scale = { weightGrams: body.weightGrams, dimensions }
    const reading = await priceOfReading(deps, row, before, scale)
    const current = await findCurrentWeighing(trx, accountId, row.id, { lock: true })
    const after = mayChangePrice(current, reading.totalMinor - before.totalMinor, now) ? reading : before
    const differenceMinor = after.totalMinor - before.totalMinor
    const id = newId()
    if (body.photoId) {
      const subject = { kind: 'weighing', id, accountId, purpose: 'reweigh_photo' as const, field: 'photoId' }
      await claimAttachments(deps, trx, [body.photoId], caller, subject)
    }
    const contestUntil = differenceMinor > 0 ? later(now, hours(deps.settings.get('weighing.contestHours'))) : null
    const weighing = await insertWeighing(trx, {
      account_id: accountId,
      id,
      parcel_id: row.id,
      tracking_number: parcel.tracking_number,
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
    if (differenceMinor > 0) await holdForDifference(deps, trx, caller, row, weighing)
    else if (corrects) await notifyCorrected(deps, trx, row, weighing)
    if (differenceMinor < 0) {
      if (current?.state === 'open') await lowerOpenDifference(deps, trx, row, current, scale)
      await lowerPrice(trx, refunds, row, { from: before, to: after }, caller.userId)
    }
    await recordActivity(trx, {
      action: 'parcels.reweighed',
      accountId,
      userId: caller.userId,
      subject: row.id,
      detail: {
        weighingId: id,
        weightGrams: body.weightGrams,
        declaredGrams: weighing.declared_grams,
        differenceMinor,
      },
      at: now,
    })
    const response = await presentOneWeighing(deps, trx, weighing)
    await idempotency.keep(trx, response)
    return response
  })
}

/** A misplaced decimal point makes a reading ten times too high or too low. */
const farOffFactor = 5
const farOffGrams = 2000

/** Throws weight_far_off if a reading is so far from the declared weight that it is probably a mistake. */
function requirePlausibleWeight(row: ParcelRow, weightGrams: number): void {
  const declared = row.weight_grams
  if (!declared || Math.abs(weightGrams - declared) < farOffGrams) return
  const factor = Math.max(weightGrams / declared, declared / weightGrams)
  if (factor < farOffFactor) return
  throw new AppError('weight_far_off', {
    fields: [{ field: 'weightGrams', rule: 'farOff' }],
    details: { declaredGrams: declared, weightGrams },
  })
}

/** Mails the sender that the earlier mail about a difference was wrong. */
async function notifyCorrected(deps: Deps, trx: Tx, row: ParcelRow, weighing: WeighingRow): Promise<void> {
  await notifySender(deps, trx, row, 'weight_corrected', { actual: fact.weight(weighing.weight_grams) })
}

/** Holds a parcel until its difference is paid, and mails the sender. */
async function holdForDifference(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  row: ParcelRow,
  weighing: WeighingRow,
): Promise<void> {
  const station = weighing.station_id
    ? (await findStationsById(trx, [weighing.station_id])).get(weighing.station_id)
    : undefined
  await transitionParcels(
    deps,
    trx,
    [row],
    'reweighed_heavier',
    {
      actorId: caller.userId,
      stationId: weighing.station_id,
      place: station?.city ?? null,
      detail: {
        weighingId: weighing.id,
        weightGrams: weighing.weight_grams,
        scaleReading: weighing.scale_reading,
        photoId: weighing.photo_id,
        amountDueMinor: weighing.difference_minor,
      },
    },
    () => ({
      actual_grams: weighing.weight_grams,
      amount_due_minor: weighing.difference_minor,
      contest_until: weighing.contest_until,
    }),
  )
  await notifySender(deps, trx, row, 'reweighed', {
    declared: fact.weight(weighing.declared_grams),
    actual: fact.weight(weighing.weight_grams),
    amount: fact.money(weighing.difference_minor, weighing.currency),
    until: fact.moment(weighing.contest_until ?? deps.clock.now()),
  })
}

/**
 * Makes a difference that can be contested smaller after a lighter reading, and ends it if nothing is left of it. It is
 * a difference between weights, so it is calculated in its own zone, even if the address was corrected since.
 */
async function lowerOpenDifference(
  deps: Deps,
  trx: Tx,
  parcel: ParcelRow,
  open: WeighingRow,
  reading: ScaleReading,
): Promise<void> {
  const { price_before: before, price_after } = open
  const price = await repriceWithWeight(deps, before, getParcelService(parcel), reading)
  if (price.totalMinor >= price_after.totalMinor) return
  const after = price.totalMinor > before.totalMinor ? price : before
  const changes = { price_after: after, difference_minor: after.totalMinor - before.totalMinor }
  if (changes.difference_minor === 0) {
    await stepWeighing(trx, open, 'withdraw', { ...changes, contest_until: null })
    await clearContestUntil(trx, open.account_id, parcel.id)
  } else if (!(await updateWeighing(trx, open, changes))) {
    throw new AppError('version_conflict')
  }
}
