/** A parcel on a scale: what it costs by what was read, beside what was paid. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Locale } from '@waybill/contract/ground/enums'
import { formatDate, formatMoney, formatWeight } from '@waybill/contract/ground/format'
import type { reweighParcel, Weighing } from '@waybill/contract/parcels/weighing'
import type { PriceBreakdown, PriceLine } from '@waybill/contract/pricing/pricing'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { hours, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { claimAttachments } from '../../attachments/service.ts'
import { differenceLines, type Reading, repriceWithWeight } from '../../pricing/reprice.ts'
import { findStationsById } from '../../stations/service.ts'
import { requireHeld, staffScanner } from '../custody/service.ts'
import type { ParcelRow } from '../queries.ts'
import { nextParcelState } from '../status.ts'
import { transitionForbidden, transitionParcels } from '../transition.ts'
import { type DifferenceRefunds, notifySender, sentService, sumDifferenceLines } from './differences.ts'
import {
  insertWeighing,
  listChargedOrders,
  lockParcel,
  paidDifferences,
  setCharged,
  takeOffPaid,
  type WeighingRow,
} from './queries.ts'
import { presentOneWeighing } from './shown.ts'
import { withdrawWeighing } from './withdraw-weighing.ts'

const declaredSize = (row: ParcelRow) =>
  row.length_mm === null || row.width_mm === null || row.height_mm === null
    ? null
    : { lengthMm: row.length_mm, widthMm: row.width_mm, heightMm: row.height_mm }

/**
 * What a reading costs beside what was paid for: within the tolerance nothing changes, and less is given back only
 * where the deployment does so.
 */
async function priceOfReading(
  deps: Deps,
  row: ParcelRow,
  before: PriceBreakdown,
  reading: Reading,
): Promise<PriceBreakdown> {
  const after = await repriceWithWeight(deps, before, sentService(row), reading)
  const more = Math.max(after.weightGrams, after.volumetricGrams) - Math.max(before.weightGrams, before.volumetricGrams)
  if (Math.abs(more) <= deps.settings.get('weighing.toleranceGrams')) return before
  if (after.totalMinor < before.totalMinor && !deps.settings.get('weighing.refundLighter')) return before
  return after
}

/**
 * Weighs a parcel at a station. Heavier: it is held until the difference is paid, and its sender may contest until the
 * deadline. Lighter: the difference goes back the way it was paid. Within the tolerance: noted. A parcel that this
 * station's own reading holds is weighed again for a while. Throws not_found, transition_forbidden (not at a station),
 * custody_refused, weight_far_off (until confirmed), validation.
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
    const parcel = await lockParcel(trx, parcelId)
    if (!parcel?.tracking_number) throw new AppError('not_found')
    const corrects = parcel.status === 'outstanding' && parcel.handed_over
    const row = corrects ? await withdrawWeighing(deps, trx, caller, parcel) : parcel
    const state = { status: row.status, deliveryMode: row.delivery_mode, handedOver: row.handed_over, leg: row.leg }
    const before = row.price
    if (!nextParcelState(state, 'reweighed_heavier') || row.leg !== 'outbound')
      throw transitionForbidden(row, 'reweighed_heavier')
    if (!body.confirmed) requirePlausibleWeight(row, body.weightGrams)
    const stationId = caller.stationId ?? row.station_id
    await requireHeld(trx, row, staffScanner(caller, stationId))
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
    const contestUntil = differenceMinor > 0 ? later(now, hours(deps.settings.get('weighing.contestHours'))) : null
    const made = await insertWeighing(trx, {
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
    if (differenceMinor > 0) await holdForDifference(deps, trx, caller, row, made)
    else if (corrects) await tellCorrected(deps, trx, row, made)
    if (differenceMinor < 0) {
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
    const answer = await presentOneWeighing(deps, trx, made)
    await idempotency.keep(trx, answer)
    return answer
  })
}

/** A slip of the decimal point makes a reading ten times too high or too low. */
const FAR_OFF_FACTOR = 5
const FAR_OFF_GRAMS = 2000

/** Throws weight_far_off where a reading is so far from the declared weight that it is more likely a mistake. */
function requirePlausibleWeight(row: ParcelRow, weightGrams: number): void {
  const declared = row.weight_grams
  if (!declared || Math.abs(weightGrams - declared) < FAR_OFF_GRAMS) return
  const factor = Math.max(weightGrams / declared, declared / weightGrams)
  if (factor < FAR_OFF_FACTOR) return
  throw new AppError('weight_far_off', {
    fields: [{ field: 'weightGrams', rule: 'farOff' }],
    details: { declaredGrams: declared, weightGrams },
  })
}

/** The sender has been told of a difference that does not exist. */
async function tellCorrected(deps: Deps, trx: Tx, row: ParcelRow, made: WeighingRow): Promise<void> {
  await notifySender(deps, trx, row, 'weight_corrected', (locale) => ({
    actual: formatWeight(made.weight_grams, deps.settings.get('units.weight'), locale),
  }))
}

async function holdForDifference(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  row: ParcelRow,
  made: WeighingRow,
): Promise<void> {
  const station = made.station_id ? (await findStationsById(trx, [made.station_id])).get(made.station_id) : undefined
  await transitionParcels(
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
  await notifySender(deps, trx, row, 'reweighed', (locale) => ({
    declared: formatWeight(made.declared_grams, deps.settings.get('units.weight'), locale),
    actual: formatWeight(made.weight_grams, deps.settings.get('units.weight'), locale),
    amount: formatMoney(made.difference_minor, made.currency, locale),
    until: moment(deps, made.contest_until ?? deps.clock.now(), locale),
  }))
}

const moment = ({ settings }: Deps, at: Date, locale: Locale) =>
  formatDate(at.toISOString(), settings.get('timezone'), settings.get('format.dateTime'), locale)

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
  if (sumDifferenceLines(lines) > 0) await refunds.give(trx, { parcel, orderId: parcel.order_id, lines, actorId })
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
  if (sumDifferenceLines(lines) <= 0) return
  await takeOffPaid(trx, paid.account_id, paid.id, sumDifferenceLines(lines))
  await refunds.give(trx, { parcel, orderId: paid.paid_order_id, lines, actorId })
}
