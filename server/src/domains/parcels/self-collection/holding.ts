// Parcels that wait for collection at a station: last day, mails, reminder, and return when nobody collects them.

import type { Party } from '@waybill/contract/addresses/addresses'
import type { Locale } from '@waybill/contract/ground/constants'
import { addDays } from '@waybill/contract/ground/days'
import type { NotificationKind } from '@waybill/contract/notifications/kinds'
import type { ScanEvent } from '@waybill/contract/parcels/scanning'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import type { DbOrTx, Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { forEachBatch, forEachItem } from '../../../jobs/each-item.ts'
import { dayIn } from '../../../lib/clock.ts'
import { formatPhone } from '../../../lib/phone.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { findUserById } from '../../accounts/service.ts'
import { type Facts, fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { listCollectableParcels, lockWaitingParcels, markReminded } from '../failed-delivery/queries.ts'
import type { ParcelChanges, ParcelRow } from '../queries.ts'
import { transitionParcels } from '../transition.ts'

/** Scans by which a parcel arrives at a station. */
const arrivals: readonly ScanEvent[] = ['arrived', 'accepted']

/**
 * The columns of self-collection after a scan or the count of a gunny: the last day is set when the parcel arrives at
 * its self-collection station, and null after any other event. Each stay there has its own reminder.
 */
export function collectionAfter(
  deps: Deps,
  row: ParcelRow,
  event: ScanEvent,
  station: Station | null,
): Pick<ParcelChanges, 'collect_until' | 'collect_reminded_at'> {
  const arrived =
    arrivals.includes(event) &&
    row.leg === 'outbound' &&
    endsAtStation(row.delivery_mode) &&
    station !== null &&
    row.self_collection_station_id === station.id
  return arrived ? startHolding(deps) : { collect_until: null }
}

/** A new last day from today on, with a reminder of its own. */
function startHolding({ clock, settings }: Deps) {
  const today = dayIn(clock.now(), settings.get('timezone'))
  return { collect_until: addDays(today, settings.get('collection.holdingDays')), collect_reminded_at: null }
}

/** The columns of self-collection of a parcel that is no longer held for payment: those days did not count. */
export function collectionAfterHold(
  deps: Deps,
  row: ParcelRow,
): Pick<ParcelChanges, 'collect_until' | 'collect_reminded_at'> {
  return row.collect_until === null ? {} : startHolding(deps)
}

/**
 * Mails the receiver or the sender of a parcel in the sender's language, if they have an address, with a link to public
 * tracking unless `facts` contains another.
 */
export async function mailParty(
  deps: Deps,
  trx: DbOrTx,
  row: ParcelRow,
  party: Party | null,
  kind: NotificationKind,
  facts: Facts,
): Promise<void> {
  const email = party?.email
  if (!email) return
  const sender = await findUserById(trx, row.created_by)
  const url = `${deps.config.http.publicUrl}/public/track-parcels?no=${row.tracking_number}`
  await notify(deps, trx, {
    kind,
    to: { email, language: (sender?.language ?? 'en') as Locale },
    facts: { name: party.contactName, url, ...facts },
  })
}

/** Notifies sender (`<kind>_sender`) and receiver about parcels at their stations. */
async function notifySenderAndReceiver(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly ParcelRow[],
  kind: 'collect_ready' | 'collect_reminder' | 'collect_over',
): Promise<void> {
  const stations = await findStationsById(trx, [
    ...new Set(rows.flatMap((row) => row.self_collection_station_id ?? [])),
  ])
  for (const row of rows) {
    const station = stations.get(row.self_collection_station_id ?? '')
    const facts = {
      receiver: row.receiver?.contactName ?? '',
      number: row.tracking_number,
      station: station?.name ?? '',
      address: station ? `${station.line1}, ${station.postcode} ${station.city}` : '',
      phone: station?.phone ? formatPhone(station.phone) : '',
      until: row.collect_until ? fact.day(row.collect_until) : '',
    }
    await notify(deps, trx, { kind: `${kind}_sender`, to: { users: [row.created_by] }, subjectId: row.id, facts })
    await mailParty(deps, trx, row, row.receiver, kind, facts)
  }
}

/** Events that start the days of collection: arrivals, and the end of a hold for payment. */
const starts: readonly string[] = [...arrivals, 'difference_paid', 'difference_waived']

/**
 * Mails sender and receiver when a parcel arrives at its self-collection station, or is no longer held there for
 * payment. An arrival on the way there may be handled only after that, so the parcel's current state is not enough:
 * they would get two mails.
 */
export const notifyCollectable: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const started = moves.filter(({ event, collectUntil }) => starts.includes(event) && collectUntil !== null)
  if (started.length === 0) return
  const rows = await listCollectableParcels(
    trx,
    started.map(({ parcelId }) => parcelId),
  )
  await notifySenderAndReceiver(deps, trx, rows, 'collect_ready')
}

const batch = 200

/** The job that reminds receivers one day before the last day, and returns parcels that were not collected. */
export async function enforceCollectionDays(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const today = dayIn(now, deps.settings.get('timezone'))
  const takeUncollected: Take = (trx, limit, except) => lockWaitingParcels(trx, today, false, limit, except)
  const takeUnreminded: Take = (trx, limit, except) => lockWaitingParcels(trx, addDays(today, 1), true, limit, except)
  await forEachItem(
    [
      () => forEachBatch(deps.db, batch, takeUncollected, (trx, rows) => recallUncollected(deps, trx, rows)),
      () => forEachBatch(deps.db, batch, takeUnreminded, (trx, rows) => remind(deps, trx, rows, now)),
    ],
    (part) => part(),
  )
}

type Take = (trx: Tx, limit: number, except: readonly string[]) => Promise<ParcelRow[]>

async function recallUncollected(deps: Deps, trx: Tx, rows: readonly ParcelRow[]): Promise<void> {
  const by = { actorId: null, detail: { recallReason: 'uncollected' } }
  await transitionParcels(deps, trx, rows, 'recalled', by, () => ({ collect_until: null }))
  await notifySenderAndReceiver(deps, trx, rows, 'collect_over')
}

async function remind(deps: Deps, trx: Tx, rows: readonly ParcelRow[], now: Date): Promise<void> {
  await notifySenderAndReceiver(deps, trx, rows, 'collect_reminder')
  await markReminded(
    trx,
    rows.map(({ id }) => id),
    now,
  )
}
