// Carriers: bookings, tracking, and the list for staff.

import type {
  CarrierBooking,
  cancelCarrierBooking,
  listCarrierBookings,
  listCarriers,
  StaffBooking,
} from '@waybill/contract/carriers/carriers'
import { bookingTabs } from '@waybill/contract/carriers/carriers'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { type Carrier, carrierLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { recordActivity } from '../../activity.ts'
import { countTabs } from '../../db/page.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, StaffCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { addJob } from '../../jobs/jobs.ts'
import { later, minutes } from '../../lib/clock.ts'
import type { CarrierClient } from './carrier.ts'
import { type Checkpoint, checkpointKey } from './checkpoints.ts'
import { findClient, isSimulatedCarrier } from './clients.ts'
import { presentBooking, presentStaffBooking } from './present.ts'
import {
  type BookingRow,
  claimTrackingChecks,
  countBookings,
  dueSteps,
  findBookingOfParcel,
  findCarrierLabel,
  findTrackingNumbers,
  insertBookings,
  insertCheckpoints,
  listBookingRows,
  listCheckpoints,
  lockBooking,
  mapTrackingNumbers,
  type NewBooking,
  type NumberedBy,
  requestCancels,
  restart,
  type ShownBooking,
  scheduleTrackingChecks,
  setSubscribed,
} from './queries.ts'
import { carrierReference } from './rules.ts'
import { CarrierError, isAboutItem } from './wire.ts'

/** Whether this deployment can book at a carrier; `reason` is a key under `carrierProblem.`. */
export function carrierAvailability(
  deps: Deps,
  carrier: Carrier,
): { open: boolean; reason: 'closed' | null; simulated: boolean } {
  const open = carrier === 'own' || deps.carriers[carrier] !== null
  return { open, reason: open ? null : 'closed', simulated: isSimulatedCarrier(deps, carrier) }
}

/** Inserts a booking for each of these parcels that has none, with a job that books it. */
export async function openBookings(deps: Deps, trx: DbOrTx, bookings: readonly NewBooking[]): Promise<void> {
  for (const parcelId of await insertBookings(trx, bookings, deps.clock.now()))
    await addJob(trx, 'parcels:book-carrier', { parcelId })
}

/** Cancels the bookings of cancelled parcels, with a job for those that were sent to a carrier. */
export async function cancelBookings(deps: Deps, trx: DbOrTx, parcelIds: readonly string[]): Promise<void> {
  for (const parcelId of await requestCancels(trx, parcelIds, deps.clock.now()))
    await addJob(trx, 'parcels:book-carrier', { parcelId })
}

/** The parcels whose bookings at a carrier have a step due, up to `limit`, the longest overdue first. */
export async function dueBookings(deps: Deps, carrier: Carrier, limit: number): Promise<string[]> {
  return dueSteps(deps.db, carrier, deps.clock.now(), limit)
}

/**
 * Our tracking numbers by these carriers' numbers, or by all that these parcels have; unknown numbers have no entry.
 * A cancelled booking counts: its label may still be on the parcel.
 */
export async function mapOwnNumbers(db: DbOrTx, by: NumberedBy): Promise<Map<string, string>> {
  const isEmpty = Object.values(by).every((items) => items.length === 0)
  return isEmpty ? new Map() : mapTrackingNumbers(db, by)
}

type Reader = { locale: Locale; t: Translate }

/** The booking of an account's parcel; null if there is none. */
export async function findBooking(
  deps: Deps,
  accountId: AccountId,
  parcelId: string,
  reader: Reader,
): Promise<CarrierBooking | null> {
  const row = await findBookingOfParcel(deps.db, parcelId, accountId)
  return row && presentBooking(row, { ...reader, publicUrl: deps.config.http.publicUrl })
}

/** The carrier's label as PDF. Throws not_found if there is none. */
export async function carrierLabel(deps: Deps, accountId: AccountId, parcelId: string): Promise<Buffer> {
  const pdf = await findCarrierLabel(deps.db, accountId, parcelId)
  if (!pdf) throw new AppError('not_found')
  return pdf
}

/** Checkpoints of a parcel that are not in its timeline yet, oldest first. */
export type News = { accountId: string; parcelId: string; checkpoints: Checkpoint[] }

/**
 * Checkpoints further than this before the booking or in the future are ignored, because carriers reuse their numbers.
 */
const slackMs = minutes(24 * 60)
/** The pause until a parcel is tracked again, unless the caller sets another one. */
const nextLookMs = minutes(15)
const afterOutageMs = minutes(5)

type NumberedBooking = { row: BookingRow; number: string }

/** Announces the numbers that the carrier does not know yet. Refused ones are announced again next time. */
async function announceNumbers(db: DbOrTx, client: CarrierClient, bookings: readonly NumberedBooking[]): Promise<void> {
  const unsubscribed = bookings.filter(({ row }) => !row.subscribed)
  if (unsubscribed.length === 0) return
  try {
    const accepted = await client.subscribe(
      unsubscribed.map(({ row, number }) => ({ carrierNumber: number, reference: carrierReference(row.parcel_id) })),
    )
    const ids = unsubscribed.filter(({ number }) => accepted.includes(number)).map(({ row }) => row.parcel_id)
    await setSubscribed(db, ids)
  } catch (error) {
    // None is accepted. The parcels that were announced before must be tracked nevertheless.
    if (!isAboutItem(error)) throw error
  }
}

/**
 * Tracks as many due parcels as fit in one call, and returns their new checkpoints; null if none is due. While the
 * carrier is down the parcels are postponed and the result is empty.
 */
export async function fetchTrackingNews(deps: Deps, carrier: Carrier): Promise<News[] | null> {
  const client = findClient(deps, carrier)
  if (!client) return null
  const now = deps.clock.now()
  const rows = await claimTrackingChecks(deps.db, carrier, now, later(now, nextLookMs), client.trackAtOnce)
  if (rows.length === 0) return null
  const numbered = rows.flatMap((row) => (row.carrier_number ? [{ row, number: row.carrier_number }] : []))
  try {
    await announceNumbers(deps.db, client, numbered)
    const tracked = await client.track(
      numbered.map(({ number }) => number),
      deps.settings.get('timezone'),
    )
    const checkpoints = await listCheckpoints(
      deps.db,
      rows.map(({ parcel_id }) => parcel_id),
    )
    const storedKeys = new Set(checkpoints.map(({ parcel_id, key }) => `${parcel_id} ${key}`))
    return numbered.map(({ row, number }) => ({
      accountId: row.account_id,
      parcelId: row.parcel_id,
      checkpoints: (tracked.get(number) ?? []).filter(
        (checkpoint) =>
          checkpoint.at.getTime() > row.created_at.getTime() - slackMs &&
          checkpoint.at.getTime() < now.getTime() + slackMs &&
          !storedKeys.has(`${row.parcel_id} ${checkpointKey(checkpoint)}`),
      ),
    }))
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    deps.log.warn({ carrier, problem: error.problem, detail: error.detail }, 'carriers: no tracking now')
    await scheduleTrackingChecks(
      deps.db,
      rows.map(({ parcel_id }) => ({ parcelId: parcel_id, at: later(now, afterOutageMs) })),
    )
    return []
  }
}

/** Stores checkpoints, in the transaction that writes them to the timeline. Returns the new ones. */
export async function saveCheckpoints(trx: DbOrTx, { accountId, parcelId, checkpoints }: News): Promise<Checkpoint[]> {
  const byKey = new Map(checkpoints.map((checkpoint) => [checkpointKey(checkpoint), checkpoint]))
  const newKeys = await insertCheckpoints(
    trx,
    [...byKey].map(([key, { code, at }]) => ({ accountId, parcelId, key, code, at })),
  )
  return [...byKey].flatMap(([key, checkpoint]) => (newKeys.has(key) ? [checkpoint] : []))
}

/** Sets when parcels are tracked next; null: their journeys have ended. */
export async function scheduleNextCheck(
  db: DbOrTx,
  looks: readonly { parcelId: string; at: Date | null }[],
): Promise<void> {
  await scheduleTrackingChecks(db, looks)
}

/** The last changed bookings whose number, the carrier's or ours, begins with a text. */
export async function findBookingsByNumber(db: DbOrTx, text: string, limit: number): Promise<ShownBooking[]> {
  const search = normalizeTrackingNumber(text)
  return search ? listBookingRows(db, { tab: 'all', carrier: null, search }, { offset: 0, limit }) : []
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
  const [rows, counts] = await Promise.all([
    listBookingRows(deps.db, { ...filter, tab }, { offset, limit }),
    countTabs(bookingTabs, (each) => countBookings(deps.db, { ...filter, tab: each })),
  ])
  const total = rows.length > 0 ? Math.max(counts[tab], offset + rows.length) : counts[tab]
  const presentation = { ...reader, publicUrl: deps.config.http.publicUrl }
  return { items: rows.map((row) => presentStaffBooking(row, presentation)), total, offset, limit, counts }
}

/** All carriers, and whether they can be booked. */
export function carrierList(deps: Deps, { t }: Reader): ResponseOf<typeof listCarriers> {
  return {
    items: labelValues(carrierLabels).map((carrier) => {
      const { open, reason, simulated } = carrierAvailability(deps, carrier)
      return { carrier, open, simulated, reason: reason && t('carrierClosed') }
    }),
  }
}

type Action = { caller: StaffCaller; parcelId: string; body: BodyOf<typeof cancelCarrierBooking>; ip: string }

/** A manual action of staff on a booking, under its lock and in the activity log. */
async function act(
  deps: Deps,
  { caller, parcelId, body, ip }: Action,
  action: 'retry' | 'cancel',
  reader: Reader,
): Promise<StaffBooking> {
  const updated = await tx(deps.db, async (trx) => {
    const row = await lockBooking(trx, parcelId)
    if (!row) throw new AppError('not_found')
    if (row.version !== body.version) throw new AppError('version_conflict')
    if (row.state === 'cancelled') throw new AppError('conflict')
    const at = deps.clock.now()
    if (action === 'retry' || row.cancel_requested) {
      if (row.state === 'booked' && !row.cancel_requested) throw new AppError('conflict')
      await restart(trx, row, at)
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
  if (!updated) throw new AppError('not_found')
  return presentStaffBooking(updated, { ...reader, publicUrl: deps.config.http.publicUrl })
}

/**
 * Makes the next step due now, with all attempts left. Throws not_found, version_conflict, conflict (nothing to do).
 */
export async function retryBooking(deps: Deps, action: Action, reader: Reader): Promise<StaffBooking> {
  return act(deps, action, 'retry', reader)
}

/** Cancels a booking. Throws not_found, version_conflict, conflict (already cancelled). */
export async function giveUpBooking(deps: Deps, action: Action, reader: Reader): Promise<StaffBooking> {
  return act(deps, action, 'cancel', reader)
}

/** The carriers' numbers of booked parcels, by parcel. */
export async function mapCarrierNumbers(db: DbOrTx, parcelIds: readonly string[]): Promise<Map<string, string>> {
  return findTrackingNumbers(db, parcelIds)
}
