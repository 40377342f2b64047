import type { CarrierBooking } from '@waybill/contract/carriers/carriers'
import { type Carrier, contentTypeLabels, enumLabel, type Locale } from '@waybill/contract/ground/enums'
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { customs } from '@waybill/contract/parcels/customs'
import { safeParse } from 'zod/mini'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { hours, later } from '../../../lib/clock.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { advanceBooking } from '../../carriers/bookings.ts'
import { carrierReference, type Shipment } from '../../carriers/rules.ts'
import { cancelBookings, dueBookings, findBooking, mapOwnNumbers, openBookings } from '../../carriers/service.ts'
import { onlyCreatedBy } from '../access.ts'
import { findParcels } from '../list/queries-list.ts'
import { carrierParcels } from './queries.ts'

/** From here on a parcel is paid (or billed) and ours to bring to its carrier. */
const paidStatuses = ['pending_pickup', 'pending_dropoff']

/**
 * Parcels moved: those that are paid and travel with another carrier are booked there, those that were cancelled are
 * cancelled there.
 */
export const followCarriers: OutboxHandler<'parcel.moved'> = async (deps, trx, moves) => {
  const paid = moves.filter(({ status }) => paidStatuses.includes(status)).map(({ parcelId }) => parcelId)
  const rows = await carrierParcels(trx, [...new Set(paid)])
  await openBookings(
    deps,
    trx,
    rows.flatMap(({ account_id, id, carrier, tracking_number }) =>
      carrier && tracking_number
        ? [{ accountId: account_id, parcelId: id, carrier, trackingNumber: tracking_number }]
        : [],
    ),
  )
  const cancelled = moves.filter(({ event }) => event === 'cancelled').map(({ parcelId }) => parcelId)
  await cancelBookings(deps, trx, [...new Set(cancelled)])
}

/** We have it in the carrier's hands by then: a day covers fetching and sorting. */
const readyInMs = hours(24)

function shipmentReader(deps: Deps) {
  return async (parcelId: string): Promise<Shipment | null> => {
    const [row] = await carrierParcels(deps.db, [parcelId])
    if (!row?.sender || !row.receiver || !row.tracking_number || row.weight_grams === null) return null
    const { length_mm, width_mm, height_mm } = row
    const content = row.content_type ? enumLabel(contentTypeLabels, row.content_type, 'en') : 'Parcel'
    const declared = safeParse(customs, row.customs)
    return {
      reference: carrierReference(row.id),
      trackingNumber: row.tracking_number,
      scope: row.scope,
      serviceType: row.service_type ?? 'e_parcel',
      sender: row.sender,
      receiver: row.receiver,
      contentDescription: row.content_description ?? content,
      weightGrams: row.actual_grams ?? row.weight_grams,
      dimensions:
        length_mm === null || width_mm === null || height_mm === null
          ? null
          : { lengthMm: length_mm, widthMm: width_mm, heightMm: height_mm },
      declaredValueMinor: row.declared_value_minor,
      codAmountMinor: row.cod_amount_minor,
      currency: row.currency,
      customs: declared.success ? declared.data : null,
      readyAt: later(deps.clock.now(), readyInMs),
      timeZone: deps.settings.get('timezone'),
    }
  }
}

/** The next step of one parcel's booking, as soon as it is wanted. */
export async function bookCarrier(deps: Deps, { parcelId }: { parcelId: string }): Promise<void> {
  await advanceBooking(deps, parcelId, shipmentReader(deps))
}

/** Bookings in one run, and how long it may take: the next comes in a minute. */
const mostInRun = 500
const runMs = 45_000

/**
 * Every minute: the steps that are due (again). A carrier that is down is tried once a run, with the parcel that has
 * waited longest; the others keep their place until it answers.
 */
export async function bookCarriers(deps: Deps): Promise<void> {
  const due = await dueBookings(deps, mostInRun)
  await Promise.all([...due].map(([carrier, parcelIds]) => bookAll(deps, carrier, parcelIds)))
}

async function bookAll(deps: Deps, carrier: Carrier, parcelIds: readonly string[]): Promise<void> {
  const end = performance.now() + runMs
  const shipmentOf = shipmentReader(deps)
  for (const parcelId of parcelIds) {
    const outcome = await advanceBooking(deps, parcelId, shipmentOf)
    if (outcome === 'outage') deps.log.warn({ carrier }, 'carriers: no answer; the bookings wait')
    if (outcome === 'outage' || performance.now() > end) return
  }
}

async function requireVisible(deps: Deps, caller: CustomerCaller, parcelId: string) {
  const [row] = await findParcels(deps.db, caller.accountId, [parcelId], onlyCreatedBy(caller))
  if (!row) throw new AppError('not_found')
  return row
}

/** How the booking of a parcel stands, for whoever may see the parcel; null while there is none. */
export async function readCarrierBooking(
  deps: Deps,
  caller: CustomerCaller,
  parcelId: string,
  reader: { locale: Locale; t: Translate },
): Promise<{ booking: CarrierBooking | null }> {
  const row = await requireVisible(deps, caller, parcelId)
  return { booking: await findBooking(deps, asAccountId(row.account_id), parcelId, reader) }
}

/** A carrier's own number has digits only; ours begin with letters. */
const isCarriers = (number: string) => /^\d+$/.test(number)

/**
 * Our numbers of parcels asked for by their carriers' numbers; numbers that are ours already, and unknown ones, have no
 * entry.
 */
export async function findOwnNumbers(deps: Deps, numbers: readonly string[]): Promise<Map<string, string>> {
  return mapOwnNumbers(deps.db, numbers.filter(isCarriers))
}

/** Our number of the parcel that somebody asks for by its carrier's; what is not known stays as it is. */
export async function findOwnNumber(deps: Deps, number: string): Promise<string> {
  const normal = normalizeTrackingNumber(number)
  return (await findOwnNumbers(deps, [normal])).get(normal) ?? number
}
