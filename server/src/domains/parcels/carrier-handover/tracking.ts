// Turns carriers' checkpoints into events of our timelines.
import { type Carrier, carrierLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { isEnded, isGoingBack } from '@waybill/contract/ground/status/parcel-status'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { forEachAtOnce, forEachItem } from '../../../jobs/each-item.ts'
import { days, later, minutes } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Checkpoint } from '../../carriers/checkpoints.ts'
import { fetchTrackingNews, type News, saveCheckpoints, scheduleNextCheck } from '../../carriers/service.ts'
import { custodyAfter } from '../custody/service.ts'
import { lockParcelById, type ParcelRow, updateParcel } from '../queries.ts'
import { insertNote } from '../queries-transition.ts'
import { endTask } from '../scanning/rider-tasks.ts'
import { getParcelState, toTrackingStatus } from '../status.ts'
import { proofsWrite } from '../timeline/queries.ts'
import { transitionParcels } from '../transition.ts'
import { type CarrierPast, readCarrierPast } from './queries.ts'
import { effects, eventsTowards } from './rules-events.ts'
import { isWithOtherCarrier } from './with-other-carrier.ts'

/** The longest time of one run: the next starts after a minute. */
const runMs = 45_000

/** The job of every minute that tracks all due parcels of other carriers. */
export async function trackCarriers(deps: Deps): Promise<void> {
  await forEachAtOnce(labelValues(carrierLabels), (carrier) => trackOne(deps, carrier))
}

/** A batch that fails ends no other. */
async function trackOne(deps: Deps, carrier: Carrier): Promise<void> {
  await forEachItem(newsBatches(deps, carrier), async (news) => {
    const looks: { parcelId: string; at: Date | null }[] = []
    // A parcel that fails is tracked again after the usual pause.
    await forEachItem(news, async (update) => {
      looks.push({ parcelId: update.parcelId, at: await applyCheckpoints(deps, update) })
    }).finally(() => scheduleNextCheck(deps.db, looks))
  })
}

/** The news of all due parcels of a carrier, one call after the other. */
async function* newsBatches(deps: Deps, carrier: Carrier): AsyncGenerator<News[]> {
  const end = performance.now() + runMs
  while (performance.now() < end) {
    const news = await fetchTrackingNews(deps, carrier)
    if (news === null || news.length === 0) return
    yield news
  }
}

/** The days after its last event in which a lost parcel is tracked: carriers keep no older data. */
const daysAfterLoss = 90

/**
 * When a parcel is tracked next: often during delivery, rarely before the carrier has it, daily once it is lost; null
 * at its end.
 */
function nextLook(deps: Deps, row: ParcelRow | null): Date | null {
  const now = deps.clock.now()
  if (row?.status === 'lost') {
    const since = row.last_event_at ?? row.created_at
    return now < later(since, days(daysAfterLoss)) ? later(now, days(1)) : null
  }
  if (!row || isEnded(row.status)) return null
  const pause = row.status === 'delivering' ? 5 : row.handed_over ? 15 : 20
  return later(now, minutes(pause))
}

/** Applies new checkpoints to their locked parcel, each once, oldest first. Returns when it is tracked next. */
async function applyCheckpoints(deps: Deps, news: News): Promise<Date | null> {
  const parcel = await tx(deps.db, async (trx) => {
    const lockedRow = await lockParcelById(trx, news.parcelId)
    if (!lockedRow || news.checkpoints.length === 0) return lockedRow
    const past = await readCarrierPast(trx, lockedRow)
    let row = lockedRow
    for (const checkpoint of await saveCheckpoints(trx, news))
      row = await applyCheckpoint(deps, trx, row, checkpoint, past)
    return row
  })
  return nextLook(deps, parcel)
}

/** Whether our own staff have a parcel of another carrier. */
const isOurs = (row: ParcelRow) => row.handed_over && row.holder !== 'customer' && !isWithOtherCarrier(row)

/** Statuses in which a rider of ours has the parcel, or has just brought it back. */
const doorStatuses: readonly string[] = ['delivering', 'fail-to-deliver']

/** Whether a checkpoint is only a note, because the parcel has moved on since or is no longer the carrier's. */
function isOverridden(row: ParcelRow, { at, milestone }: Checkpoint, past: CarrierPast): boolean {
  if (isOurs(row)) {
    const isTakenOver = past.had_parcel || doorStatuses.includes(row.status)
    // Without a take-over, a carrier that reports a later step has collected the parcel without saying so.
    return isTakenOver || (past.own_latest !== null && at < past.own_latest)
  }
  // A delivery ends the journey whatever its time. One from before a return was not the delivery of the return.
  if (milestone === 'delivered' && !isGoingBack(row)) return false
  return past.carrier_latest !== null && at < past.carrier_latest
}

/** Applies a checkpoint: by the events that lead to its milestone, or else as a note in the timeline. */
async function applyCheckpoint(
  deps: Deps,
  trx: DbOrTx,
  row: ParcelRow,
  checkpoint: Checkpoint,
  past: CarrierPast,
): Promise<ParcelRow> {
  const { events, via, note } = effects[checkpoint.milestone]
  const path = isOverridden(row, checkpoint, past) ? null : eventsTowards(getParcelState(row), events, via)
  const at = getTime(deps, row, checkpoint)
  const detail = { carrier: row.carrier, code: checkpoint.code, carrierAt: checkpoint.at.toISOString() }
  if (!path) {
    const collects = isCollected(row, checkpoint, past)
    const current = collects ? await moveCustody(trx, row, at) : row
    const trackingStatus = toTrackingStatus(row.status, row.handed_over)
    const { place, detail: text } = checkpoint
    return insertNote(trx, current, trackingStatus, {
      id: newId(),
      event: note,
      at,
      detail: { ...detail, ...(collects ? { collected: true } : {}) },
      place,
      note: text,
    })
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
    if (event === 'delivered' || event === 'attempt_failed') await endTask(trx, parcel, event, checkpoint.reason, at)
  }
  if (checkpoint.milestone === 'delivered' && checkpoint.signedBy) {
    await runWrites(trx, [
      proofsWrite([
        {
          accountId: row.account_id,
          parcelId: row.id,
          recipientName: checkpoint.signedBy,
          signaturePath: null,
          at: parcel.last_event_at ?? at,
          actorId: null,
        },
      ]),
    ])
  }
  return parcel
}

/** Whether the carrier collects a parcel that our own staff have. */
function isCollected(row: ParcelRow, { milestone, at }: Checkpoint, { own_latest }: CarrierPast): boolean {
  return milestone === 'collected' && isOurs(row) && (own_latest === null || at >= own_latest)
}

/** Gives the carrier a parcel that it collected from us: that is no transition, but the carrier has it from then on. */
async function moveCustody(trx: DbOrTx, row: ParcelRow, at: Date): Promise<ParcelRow> {
  const updated = await updateParcel(trx, row, custodyAfter('carrier', row, { actorId: null, byCarrier: true }), at)
  if (!updated) throw new AppError('version_conflict')
  await endTask(trx, row, 'attempt_failed', null, at)
  return updated
}

/** The carrier's time, but never before the latest entry of the timeline, nor in the future. */
function getTime(deps: Deps, row: ParcelRow, { at }: Checkpoint): Date {
  const earliest = Math.max(row.created_at.getTime(), (row.last_event_at?.getTime() ?? 0) + 1)
  return new Date(Math.max(earliest, Math.min(at.getTime(), deps.clock.now().getTime())))
}
