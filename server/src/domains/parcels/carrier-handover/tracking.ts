import { type Carrier, carrierLabels, labelValues } from '@waybill/contract/ground/enums'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { later, minutes } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Checkpoint } from '../../carriers/checkpoints.ts'
import { fetchTrackingNews, type News, saveCheckpoints, scheduleNextCheck } from '../../carriers/service.ts'
import { lockOwnParcel, type ParcelRow } from '../queries.ts'
import { insertNote } from '../queries-transition.ts'
import { endStatuses, stateOf, toTrackingStatus } from '../status.ts'
import { saveProof } from '../timeline/queries.ts'
import { transitionParcels } from '../transition.ts'
import { effects, eventsTowards } from './rules-events.ts'

/** How long one run may take: the next comes in a minute. */
const runMs = 45_000

/** Every minute: what carriers tell of their parcels becomes events of ours. */
export async function trackCarriers(deps: Deps): Promise<void> {
  await Promise.all(labelValues(carrierLabels).map((carrier) => trackOne(deps, carrier)))
}

async function trackOne(deps: Deps, carrier: Carrier): Promise<void> {
  const end = performance.now() + runMs
  while (performance.now() < end) {
    const news = await fetchTrackingNews(deps, carrier)
    if (news === null || news.length === 0) return
    const looks = []
    for (const each of news) looks.push({ parcelId: each.parcelId, at: await tell(deps, each) })
    await scheduleNextCheck(deps.db, looks)
  }
}

/** Until the next look: often while somebody waits at the door, seldom before the parcel has begun its way. */
function nextLook(deps: Deps, row: ParcelRow | null): Date | null {
  if (!row || (endStatuses as readonly string[]).includes(row.status)) return null
  const pause = row.status === 'delivering' ? 5 : row.handed_over ? 15 : 20
  return later(deps.clock.now(), minutes(pause))
}

/**
 * Tells a parcel what its carrier says, under its lock: each checkpoint once, oldest first. Answers when to look again.
 */
async function tell(deps: Deps, news: News): Promise<Date | null> {
  const row = await tx(deps.db, async (trx) => {
    const locked = await lockOwnParcel(trx, news.parcelId)
    if (!locked || news.checkpoints.length === 0) return locked
    const { fresh, latest } = await saveCheckpoints(trx, news)
    let now = locked
    for (const checkpoint of fresh) {
      // What comes late is told, but moves nothing: the parcel has been further since.
      const late = latest !== null && checkpoint.at < latest
      now = await happen(deps, trx, now, checkpoint, late)
    }
    return now
  })
  return nextLook(deps, row)
}

/** One checkpoint becomes the events that the transition table has for it, or a line that changes no status. */
async function happen(
  deps: Deps,
  trx: DbOrTx,
  row: ParcelRow,
  checkpoint: Checkpoint,
  late: boolean,
): Promise<ParcelRow> {
  const { events, note } = effects[checkpoint.milestone]
  const way = late ? null : eventsTowards(stateOf(row), events)
  const at = timeOf(deps, row, checkpoint)
  const detail = { carrier: row.carrier, code: checkpoint.code, carrierAt: checkpoint.at.toISOString() }
  const told = { place: checkpoint.place, note: checkpoint.said }
  if (!way) {
    const trackingStatus = toTrackingStatus(row.status, row.handed_over)
    return insertNote(trx, row, trackingStatus, { id: newId(), event: note, at, detail, ...told })
  }
  let now = row
  for (const [index, event] of way.entries()) {
    const last = index === way.length - 1
    const [moved] = await transitionParcels(deps, trx, [now], event, {
      actorId: null,
      byCarrier: true,
      // One millisecond apart, so that a timeline has them in their order.
      at: later(at, index),
      place: checkpoint.place,
      note: last ? checkpoint.said : null,
      detail: {
        ...detail,
        ...(last ? {} : { untold: true }),
        ...(event === 'attempt_failed' ? { failureReason: checkpoint.reason ?? 'other' } : {}),
      },
    })
    now = moved as ParcelRow
  }
  if (checkpoint.milestone === 'delivered' && checkpoint.signedBy) {
    await saveProof(trx, {
      accountId: row.account_id,
      parcelId: row.id,
      recipientName: checkpoint.signedBy,
      signaturePath: null,
      at: now.last_event_at ?? at,
      actorId: null,
    })
  }
  return now
}

/** The carrier's time, but never before what the timeline already has, nor in the future. */
function timeOf(deps: Deps, row: ParcelRow, { at }: Checkpoint): Date {
  const earliest = Math.max(row.created_at.getTime(), (row.last_event_at?.getTime() ?? 0) + 1)
  return new Date(Math.max(earliest, Math.min(at.getTime(), deps.clock.now().getTime())))
}
