// Turns carriers' checkpoints into events of our timelines.
import { type Carrier, carrierLabels, labelValues } from '@waybill/contract/ground/enums'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/steps.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { forEachAtOnce, forEachItem } from '../../../jobs/each-item.ts'
import { later, minutes } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Checkpoint } from '../../carriers/checkpoints.ts'
import { fetchTrackingNews, type News, saveCheckpoints, scheduleNextCheck } from '../../carriers/service.ts'
import { custodyAfter } from '../custody/service.ts'
import { lockParcelById, type ParcelRow, updateParcel } from '../queries.ts'
import { insertNote } from '../queries-transition.ts'
import { endStatuses, getParcelState, toTrackingStatus } from '../status.ts'
import { proofWrite } from '../timeline/queries.ts'
import { transitionParcels } from '../transition.ts'
import { effects, eventsTowards } from './rules-events.ts'
import { isWithOtherCarrier } from './with-other-carrier.ts'

/** The longest time of one run: the next starts after a minute. */
const runMs = 45_000

/** The job of every minute that tracks all due parcels of other carriers. */
export async function trackCarriers(deps: Deps): Promise<void> {
  await forEachAtOnce(labelValues(carrierLabels), (carrier) => trackOne(deps, carrier))
}

async function trackOne(deps: Deps, carrier: Carrier): Promise<void> {
  const end = performance.now() + runMs
  while (performance.now() < end) {
    const news = await fetchTrackingNews(deps, carrier)
    if (news === null || news.length === 0) return
    const looks: { parcelId: string; at: Date | null }[] = []
    // A parcel that fails is tracked again after the usual pause.
    await forEachItem(news, async (update) => {
      looks.push({ parcelId: update.parcelId, at: await applyCheckpoints(deps, update) })
    }).finally(() => scheduleNextCheck(deps.db, looks))
  }
}

/** When a parcel is tracked next: often during delivery, rarely before the carrier has it; null at its end. */
function nextLook(deps: Deps, row: ParcelRow | null): Date | null {
  if (!row || (endStatuses as readonly string[]).includes(row.status)) return null
  const pause = row.status === 'delivering' ? 5 : row.handed_over ? 15 : 20
  return later(deps.clock.now(), minutes(pause))
}

/** Applies new checkpoints to their locked parcel, each once, oldest first. Returns when it is tracked next. */
async function applyCheckpoints(deps: Deps, news: News): Promise<Date | null> {
  const parcel = await tx(deps.db, async (trx) => {
    const lockedRow = await lockParcelById(trx, news.parcelId)
    if (!lockedRow || news.checkpoints.length === 0) return lockedRow
    const { fresh, latest } = await saveCheckpoints(trx, news)
    let row = lockedRow
    for (const checkpoint of fresh) {
      // A late checkpoint only becomes a note, because the parcel has moved on since.
      const late = latest !== null && checkpoint.at < latest
      row = await applyCheckpoint(deps, trx, row, checkpoint, late)
    }
    return row
  })
  return nextLook(deps, parcel)
}

/** Applies a checkpoint: by the events that lead to its milestone, or else as a note in the timeline. */
async function applyCheckpoint(
  deps: Deps,
  trx: DbOrTx,
  row: ParcelRow,
  checkpoint: Checkpoint,
  late: boolean,
): Promise<ParcelRow> {
  const { events, note } = effects[checkpoint.milestone]
  const path = late ? null : eventsTowards(getParcelState(row), events)
  const at = getTime(deps, row, checkpoint)
  const detail = { carrier: row.carrier, code: checkpoint.code, carrierAt: checkpoint.at.toISOString() }
  if (!path) {
    const current = await moveCustody(trx, row, checkpoint, at)
    const trackingStatus = toTrackingStatus(row.status, row.handed_over)
    const { place, detail: text } = checkpoint
    return insertNote(trx, current, trackingStatus, { id: newId(), event: note, at, detail, place, note: text })
  }
  let parcel = row
  for (const [index, event] of path.entries()) {
    const last = index === path.length - 1
    const [movedParcel] = await transitionParcels(deps, trx, [parcel], event, {
      actorId: null,
      byCarrier: true,
      // One millisecond apart, so that the timeline keeps this order.
      at: later(at, index),
      place: checkpoint.place,
      // Other events have a text in the reader's language; the carrier's would repeat it in its own.
      note: event === 'attempt_failed' ? checkpoint.detail : null,
      detail: {
        ...detail,
        ...(last ? {} : { untold: true }),
        ...(event === 'attempt_failed' ? { failureReason: checkpoint.reason ?? 'other' } : {}),
      },
    })
    parcel = movedParcel as ParcelRow
  }
  if (checkpoint.milestone === 'delivered' && checkpoint.signedBy) {
    await runWrites(trx, [
      proofWrite({
        accountId: row.account_id,
        parcelId: row.id,
        recipientName: checkpoint.signedBy,
        signaturePath: null,
        at: parcel.last_event_at ?? at,
        actorId: null,
      }),
    ])
  }
  return parcel
}

/**
 * The carrier collects a parcel that was dropped off at one of our stations: that is no transition, but the carrier has
 * it from then on.
 */
async function moveCustody(
  trx: DbOrTx,
  row: ParcelRow,
  { milestone, at: carrierAt }: Checkpoint,
  at: Date,
): Promise<ParcelRow> {
  const isOurs = row.handed_over && row.holder !== 'customer' && !isWithOtherCarrier(row)
  const isLate = row.last_event_at !== null && carrierAt < row.last_event_at
  if (milestone !== 'collected' || !isOurs || isLate) return row
  const updated = await updateParcel(trx, row, custodyAfter('carrier', row, { actorId: null, byCarrier: true }), at)
  if (!updated) throw new AppError('version_conflict')
  return updated
}

/** The carrier's time, but never before the latest entry of the timeline, nor in the future. */
function getTime(deps: Deps, row: ParcelRow, { at }: Checkpoint): Date {
  const earliest = Math.max(row.created_at.getTime(), (row.last_event_at?.getTime() ?? 0) + 1)
  return new Date(Math.max(earliest, Math.min(at.getTime(), deps.clock.now().getTime())))
}
