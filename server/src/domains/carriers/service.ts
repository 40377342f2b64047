import type {
  BookingTab,
  CarrierBooking,
  cancelCarrierBooking,
  listCarrierBookings,
  listCarriers,
  StaffBooking,
} from '@waybill/contract/carriers/carriers'
import { bookingTabs } from '@waybill/contract/carriers/carriers'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { type Carrier, carrierLabels, type Locale, labelValues } from '@waybill/contract/ground/enums'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { recordActivity } from '../../activity.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, StaffCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { addJob } from '../../jobs/jobs.ts'
import { later, minutes } from '../../lib/clock.ts'
import { type Checkpoint, checkpointKey } from './checkpoints.ts'
import { findClient, isSimulatedCarrier } from './clients.ts'
import { presentBooking, presentStaffBooking } from './present.ts'
import {
  bookingOfParcel,
  claimTrackingChecks,
  countBookings,
  dueSteps,
  findCarrierLabel,
  insertBookings,
  insertCheckpoints,
  listBookingRows,
  listCheckpoints,
  lockBooking,
  mapTrackingNumbers,
  type NewBooking,
  requestCancels,
  restartBooking,
  scheduleTrackingChecks,
  setSubscribed,
} from './queries.ts'
import { numbersOfParcels } from './queries-numbers.ts'
import { carrierReference } from './rules.ts'
import { CarrierError } from './wire.ts'

/** Whether parcels can be given to a carrier in this deployment; `reason` is a key under `carrierProblem.`. */
export function carrierAvailability(
  deps: Deps,
  carrier: Carrier,
): { open: boolean; reason: 'closed' | null; simulated: boolean } {
  const open = carrier === 'own' || deps.carriers[carrier] !== null
  return { open, reason: open ? null : 'closed', simulated: isSimulatedCarrier(deps, carrier) }
}

/** Parcels that are to travel with a carrier get their bookings, each once, and the carriers are asked soon. */
export async function openBookings(deps: Deps, trx: DbOrTx, bookings: readonly NewBooking[]): Promise<void> {
  for (const parcelId of await insertBookings(trx, bookings, deps.clock.now()))
    await addJob(trx, 'parcels:book-carrier', { parcelId })
}

/** Parcels that have been cancelled: so are their bookings, at the carrier too where it may have heard of them. */
export async function cancelBookings(deps: Deps, trx: DbOrTx, parcelIds: readonly string[]): Promise<void> {
  for (const parcelId of await requestCancels(trx, parcelIds, deps.clock.now()))
    await addJob(trx, 'parcels:book-carrier', { parcelId })
}

/** Bookings whose next step is due, by carrier, those that wait longest first. */
export async function dueBookings(deps: Deps, limit: number): Promise<Map<Carrier, string[]>> {
  const due = new Map<Carrier, string[]>()
  for (const { carrier, parcel_id } of await dueSteps(deps.db, deps.clock.now(), limit))
    due.set(carrier, [...(due.get(carrier) ?? []), parcel_id])
  return due
}

/** Our number for each of the carriers' numbers that is known. */
export async function mapOwnNumbers(db: DbOrTx, carrierNumbers: readonly string[]): Promise<Map<string, string>> {
  return mapTrackingNumbers(db, carrierNumbers)
}

type Reader = { locale: Locale; t: Translate }

/** The booking of a parcel that the caller may see; null while there is none. */
export async function findBooking(
  deps: Deps,
  accountId: AccountId,
  parcelId: string,
  reader: Reader,
): Promise<CarrierBooking | null> {
  const row = await bookingOfParcel(deps.db, parcelId, accountId)
  return row && presentBooking(row, { ...reader, publicUrl: deps.config.http.publicUrl })
}

/** The carrier's label as PDF. Throws not_found while there is none. */
export async function carrierLabel(deps: Deps, accountId: AccountId, parcelId: string): Promise<Buffer> {
  const pdf = await findCarrierLabel(deps.db, accountId, parcelId)
  if (!pdf) throw new AppError('not_found')
  return pdf
}

/** What carriers tell of a parcel that has not been told to it yet, oldest first. */
export type News = { accountId: string; parcelId: string; checkpoints: Checkpoint[] }

/**
 * A number may have been another parcel's before, and clocks differ: what is told of before the booking, or of
 * tomorrow, is not ours.
 */
const slackMs = minutes(24 * 60)
/** Until something else is said, a parcel is not looked at again for so long. */
const nextLookMs = minutes(15)
const afterOutageMs = minutes(5)

/**
 * Asks a carrier about parcels that are due, one call's worth, and answers what is new; null when none is due. While
 * the carrier is down the parcels are put off and nothing is new.
 */
export async function fetchTrackingNews(deps: Deps, carrier: Carrier): Promise<News[] | null> {
  const client = findClient(deps, carrier)
  if (!client) return null
  const now = deps.clock.now()
  const rows = await claimTrackingChecks(deps.db, carrier, now, later(now, nextLookMs), client.trackAtOnce)
  if (rows.length === 0) return null
  const numbered = rows.flatMap((row) => (row.carrier_number ? [{ row, number: row.carrier_number }] : []))
  try {
    const strangers = numbered.filter(({ row }) => !row.subscribed)
    if (strangers.length > 0) {
      const taken = await client.subscribe(
        strangers.map(({ row, number }) => ({ carrierNumber: number, reference: carrierReference(row.parcel_id) })),
      )
      const ids = strangers.filter(({ number }) => taken.includes(number)).map(({ row }) => row.parcel_id)
      await setSubscribed(deps.db, ids)
    }
    const tracked = await client.track(
      numbered.map(({ number }) => number),
      deps.settings.get('timezone'),
    )
    const known = await listCheckpoints(
      deps.db,
      rows.map(({ parcel_id }) => parcel_id),
    )
    const seen = new Set(known.map(({ parcel_id, key }) => `${parcel_id} ${key}`))
    return numbered.map(({ row, number }) => ({
      accountId: row.account_id,
      parcelId: row.parcel_id,
      checkpoints: (tracked.get(number) ?? []).filter(
        (checkpoint) =>
          checkpoint.at.getTime() > row.created_at.getTime() - slackMs &&
          checkpoint.at.getTime() < now.getTime() + slackMs &&
          !seen.has(`${row.parcel_id} ${checkpointKey(checkpoint)}`),
      ),
    }))
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    deps.log.warn({ carrier, problem: error.problem, said: error.said }, 'carriers: no tracking now')
    await scheduleTrackingChecks(
      deps.db,
      rows.map(({ parcel_id }) => ({ parcelId: parcel_id, at: later(now, afterOutageMs) })),
    )
    return []
  }
}

/**
 * Keeps checkpoints as told, in the transaction that tells them. Answers those that nobody told meanwhile, and when the
 * latest of before was.
 */
export async function saveCheckpoints(
  trx: DbOrTx,
  { accountId, parcelId, checkpoints }: News,
): Promise<{ fresh: Checkpoint[]; latest: Date | null }> {
  const before = await listCheckpoints(trx, [parcelId])
  const byKey = new Map(checkpoints.map((checkpoint) => [checkpointKey(checkpoint), checkpoint]))
  const kept = await insertCheckpoints(
    trx,
    [...byKey].map(([key, { code, at }]) => ({ accountId, parcelId, key, code, at })),
  )
  const latest = Math.max(0, ...before.map(({ at }) => at.getTime()))
  return {
    fresh: [...byKey].flatMap(([key, checkpoint]) => (kept.has(key) ? [checkpoint] : [])),
    latest: latest > 0 ? new Date(latest) : null,
  }
}

/** When parcels are looked at next; null: their journeys are over. */
export async function scheduleNextCheck(
  db: DbOrTx,
  looks: readonly { parcelId: string; at: Date | null }[],
): Promise<void> {
  await scheduleTrackingChecks(db, looks)
}

/** The staff's list of bookings with counts by tab. */
export async function bookingList(
  deps: Deps,
  query: QueryOf<typeof listCarrierBookings>,
  reader: Reader,
): Promise<ResponseOf<typeof listCarrierBookings>> {
  const { tab, carrier = null, offset, limit } = query
  const search = query.search ? normalizeTrackingNumber(query.search) || null : null
  const filter = { carrier, search }
  const [rows, ...counted] = await Promise.all([
    listBookingRows(deps.db, { ...filter, tab }, { offset, limit }),
    ...bookingTabs.map((each) => countBookings(deps.db, { ...filter, tab: each })),
  ])
  const counts = Object.fromEntries(bookingTabs.map((each, n) => [each, counted[n] ?? 0])) as Record<BookingTab, number>
  const total = rows.length > 0 ? Math.max(counts[tab], offset + rows.length) : counts[tab]
  const shown = { ...reader, publicUrl: deps.config.http.publicUrl }
  return { items: rows.map((row) => presentStaffBooking(row, shown)), total, offset, limit, counts }
}

export function carrierList(deps: Deps, { t }: Reader): ResponseOf<typeof listCarriers> {
  return {
    items: labelValues(carrierLabels).map((carrier) => {
      const { open, reason, simulated } = carrierAvailability(deps, carrier)
      return { carrier, open, simulated, reason: reason && t('carrierClosed') }
    }),
  }
}

type Acted = { caller: StaffCaller; parcelId: string; body: BodyOf<typeof cancelCarrierBooking>; ip: string }

/** What staff do about a booking: under its lock, audited, and at once. */
async function act(
  deps: Deps,
  { caller, parcelId, body, ip }: Acted,
  action: 'retry' | 'cancel',
  reader: Reader,
): Promise<StaffBooking> {
  const after = await tx(deps.db, async (trx) => {
    const row = await lockBooking(trx, parcelId)
    if (!row) throw new AppError('not_found')
    if (row.version !== body.version) throw new AppError('version_conflict')
    if (row.state === 'cancelled') throw new AppError('conflict')
    const at = deps.clock.now()
    if (action === 'retry' || row.cancel_requested) {
      if (row.state === 'booked' && !row.cancel_requested) throw new AppError('conflict')
      await restartBooking(trx, row, at)
      await addJob(trx, 'parcels:book-carrier', { parcelId })
    } else {
      await cancelBookings(deps, trx, [parcelId])
    }
    await recordActivity(trx, {
      action: `carriers.${action}`,
      accountId: row.account_id,
      userId: caller.userId,
      subject: parcelId,
      detail: { carrier: row.carrier, trackingNumber: row.tracking_number, carrierNumber: row.carrier_number },
      ip,
      at,
    })
    return lockBooking(trx, parcelId)
  })
  if (!after) throw new AppError('not_found')
  return presentStaffBooking(after, { ...reader, publicUrl: deps.config.http.publicUrl })
}

/**
 * Asks the carrier again now, with all tries anew. Throws not_found, version_conflict, conflict (nothing is to be
 * done).
 */
export async function retryBooking(deps: Deps, acted: Acted, reader: Reader): Promise<StaffBooking> {
  return act(deps, acted, 'retry', reader)
}

/** Gives a booking up. Throws not_found, version_conflict, conflict (it is over). */
export async function giveUpBooking(deps: Deps, acted: Acted, reader: Reader): Promise<StaffBooking> {
  return act(deps, acted, 'cancel', reader)
}

/** Numbers at the carriers, by parcel; parcels that are not booked have none. */
export async function mapCarrierNumbers(db: DbOrTx, parcelIds: readonly string[]): Promise<Map<string, string>> {
  return numbersOfParcels(db, parcelIds)
}
