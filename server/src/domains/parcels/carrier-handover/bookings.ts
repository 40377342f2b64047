// Parcels that travel with another carrier: booking, and their numbers there.
import type { CarrierBooking } from '@waybill/contract/carriers/carriers'
import type { Locale } from '@waybill/contract/ground/constants'
import { type Carrier, carrierLabels, contentTypeLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel, labelValues } from '@waybill/contract/ground/enums/labels'
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { handoverStatuses, movingStatuses } from '@waybill/contract/ground/status/parcel-status'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { customs } from '@waybill/contract/parcels/customs'
import { safeParse } from 'zod/mini'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { forEachAtOnce } from '../../../jobs/each-item.ts'
import { hours, later } from '../../../lib/clock.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { advanceBooking, type BookingParcels, type ShipmentReader } from '../../carriers/bookings.ts'
import { carrierReference } from '../../carriers/rules.ts'
import { cancelBookings, dueBookings, findBooking, mapOwnNumbers, openBookings } from '../../carriers/service.ts'
import { notify } from '../../notifications/notify.ts'
import { onlyCreatedBy } from '../access.ts'
import { findParcels } from '../queries.ts'
import { getDimensions } from '../rules.ts'
import { carrierParcels, readCarrierPast } from './queries.ts'
import { isWithOtherCarrier } from './with-other-carrier.ts'

/** Statuses in which a parcel may still go to its carrier. A recalled one comes back to its sender. */
const travellingStatuses: readonly ParcelStatus[] = [
  ...handoverStatuses,
  'outstanding',
  ...movingStatuses.filter((status) => status !== 'recall'),
]

/**
 * Books parcels at their carriers once they are paid, and cancels the bookings of parcels that were cancelled, or
 * recalled before the carrier had them.
 */
export const followCarriers: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const paidIds = moves.filter(({ status }) => handoverStatuses.includes(status)).map(({ parcelId }) => parcelId)
  const rows = await carrierParcels(trx, [...new Set(paidIds)])
  await openBookings(
    deps,
    trx,
    rows.flatMap(({ account_id, id, carrier, tracking_number }) =>
      carrier && tracking_number
        ? [{ accountId: account_id, parcelId: id, carrier, trackingNumber: tracking_number }]
        : [],
    ),
  )
  const cancelledIds = moves.filter(({ event }) => event === 'cancelled').map(({ parcelId }) => parcelId)
  const recalledIds = moves.filter(({ event }) => event === 'recalled').map(({ parcelId }) => parcelId)
  for (const row of await carrierParcels(trx, [...new Set(recalledIds)])) {
    const { had_parcel: hadParcel } = await readCarrierPast(trx, row)
    if (!hadParcel && !isWithOtherCarrier(row)) cancelledIds.push(row.id)
  }
  await cancelBookings(deps, trx, [...new Set(cancelledIds)])
}

/** The latest time at which the carrier gets the parcel: a day is enough for pickup and sorting. */
const readyInMs = hours(24)

/** Loads a parcel as a shipment for its carrier; null if it is incomplete. */
function shipmentReader(deps: Deps) {
  return async (parcelId: string): ReturnType<ShipmentReader> => {
    const [row] = await carrierParcels(deps.db, [parcelId])
    if (!row?.sender || !row.receiver || !row.tracking_number || row.weight_grams === null) return null
    const content = row.content_type ? enumLabel(contentTypeLabels, row.content_type, 'en') : 'Parcel'
    const declaration = safeParse(customs, row.customs)
    return {
      isNeeded: row.leg === 'outbound' && travellingStatuses.includes(row.status),
      reference: carrierReference(row.id),
      trackingNumber: row.tracking_number,
      scope: row.scope,
      serviceType: row.service_type ?? 'e_parcel',
      sender: row.sender,
      receiver: row.receiver,
      contentDescription: row.content_description ?? content,
      weightGrams: row.actual_grams ?? row.weight_grams,
      dimensions: getDimensions(row),
      declaredValueMinor: row.declared_value_minor,
      codAmountMinor: row.cod_amount_minor,
      currency: row.currency,
      customs: declaration.success ? declaration.data : null,
      readyAt: later(deps.clock.now(), readyInMs),
      timeZone: deps.settings.get('timezone'),
    }
  }
}

/** Notifies staff of a booking that needs them, and the sender if the parcel is not booked. */
async function notifyFailed(deps: Deps, trx: DbOrTx, parcelId: string, step: 'book' | 'cancel'): Promise<void> {
  const [row] = await carrierParcels(trx, [parcelId])
  if (!row) return
  const facts = { number: row.tracking_number, receiver: row.receiver?.contactName ?? '' }
  await notify(deps, trx, { kind: 'carrier_booking_attention', to: { staff: 'staff.operate' }, facts })
  if (step === 'cancel') return
  const sender = { to: { users: [row.created_by] }, subjectId: row.id }
  await notify(deps, trx, { kind: 'carrier_booking_failed', ...sender, facts })
}

const bookingParcels = (deps: Deps): BookingParcels => ({
  readShipment: shipmentReader(deps),
  onFailed: (trx, parcelId, step) => notifyFailed(deps, trx, parcelId, step),
})

/** The job that runs the next step of one parcel's booking. */
export async function bookCarrier(deps: Deps, { parcelId }: { parcelId: string }): Promise<void> {
  await advanceBooking(deps, parcelId, bookingParcels(deps))
}

/** The maximum number of a carrier's bookings per run, and its longest time: the next run starts after a minute. */
const maxInRun = 500
const runMs = 45_000

/**
 * The job of every minute that runs all due steps. A carrier that is down is tried once per run, with the parcel that
 * has waited longest. However many parcels wait for it, those of the others have their own limit.
 */
export async function bookCarriers(deps: Deps): Promise<void> {
  await forEachAtOnce(labelValues(carrierLabels), (carrier) => bookAll(deps, carrier))
}

async function bookAll(deps: Deps, carrier: Carrier): Promise<void> {
  const end = performance.now() + runMs
  const parcels = bookingParcels(deps)
  for (const parcelId of await dueBookings(deps, carrier, maxInRun)) {
    const outcome = await advanceBooking(deps, parcelId, parcels)
    if (outcome === 'outage') deps.log.warn({ carrier }, 'carriers: no answer; the bookings wait')
    if (outcome === 'outage' || performance.now() > end) return
  }
}

/** A parcel that the caller may see. Throws not_found. */
async function requireVisible(deps: Deps, caller: CustomerCaller, parcelId: string) {
  const [row] = await findParcels(deps.db, caller.accountId, [parcelId], onlyCreatedBy(caller))
  if (!row) throw new AppError('not_found')
  return row
}

/** The booking of a parcel, null if there is none. Throws not_found unless the caller may see the parcel. */
export async function readCarrierBooking(
  deps: Deps,
  caller: CustomerCaller,
  parcelId: string,
  reader: { locale: Locale; t: Translate },
): Promise<{ booking: CarrierBooking | null }> {
  const row = await requireVisible(deps, caller, parcelId)
  return { booking: await findBooking(deps, asAccountId(row.account_id), parcelId, reader) }
}

/** Carriers' numbers consist of digits; ours begin with letters. */
const isCarriers = (number: string) => /^\d+$/.test(number)

/** Our tracking numbers by the carriers' numbers. Our own numbers and unknown ones have no entry. */
export async function findOwnNumbers(deps: Deps, numbers: readonly string[]): Promise<Map<string, string>> {
  return mapOwnNumbers(deps.db, { carrierNumbers: numbers.filter(isCarriers) })
}

/** Our tracking number for a carrier's number; any other number is returned unchanged. */
export async function findOwnNumber(deps: Deps, number: string): Promise<string> {
  const normal = normalizeTrackingNumber(number)
  return (await findOwnNumbers(deps, [normal])).get(normal) ?? number
}
