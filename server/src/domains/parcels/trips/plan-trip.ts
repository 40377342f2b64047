// Staff begin a trip, change it, and cancel it, until the vehicle departs.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { createTrip, TripDetail, updateTrip } from '@waybill/contract/parcels/transport/trips'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { makeContainerNumber } from '../../../lib/print/container-codes.ts'
import { requireRoute } from '../bags/fill.ts'
import { findTrip, insertTrip, nextTripSerial, updateTripRow } from './queries.ts'
import { lockForEvent, lockTrip, readTrip, readTripWithWarnings, tripPrefix } from './service.ts'

/** Begins a trip without loads. Throws validation, task_other_station. */
export async function beginTrip(
  deps: Deps,
  caller: StaffCaller,
  body: BodyOf<typeof createTrip>,
  idempotency: Idempotency,
): Promise<TripDetail> {
  const { fromId, toId } = await requireRoute(deps, caller, body)
  const at = deps.clock.now()
  const id = newId()
  return tx(deps.db, async (trx) => {
    const number = makeContainerNumber(tripPrefix, await nextTripSerial(trx))
    await insertTrip(trx, {
      id,
      number,
      from_station_id: fromId,
      to_station_id: toId,
      vehicle: body.vehicle,
      driver_name: body.driverName,
      created_by: caller.userId,
      created_at: at,
    })
    await recordActivity(trx, { action: 'trips.created', userId: caller.userId, subject: number, at })
    const trip = await readTrip(trx, id)
    await idempotency.keep(trx, trip)
    return trip
  })
}

/**
 * Changes destination, vehicle or driver before the departure. Throws not_found, trip_state, version_conflict,
 * task_other_station, validation.
 */
export async function changeTrip(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, toStationId, vehicle, driverName }: BodyOf<typeof updateTrip>,
): Promise<TripDetail> {
  const tripBefore = await findTrip(deps.db, id)
  if (!tripBefore) throw new AppError('not_found')
  await requireRoute(deps, caller, { stationId: tripBefore.from_station_id, toStationId })
  await tx(deps.db, async (trx) => {
    const trip = await lockTrip(trx, caller, id, 'loading')
    if (trip.version !== version) throw new AppError('version_conflict')
    await updateTripRow(trx, trip, { to_station_id: toStationId, vehicle, driver_name: driverName })
    await recordActivity(trx, {
      action: 'trips.changed',
      userId: caller.userId,
      subject: trip.number,
      detail: { toStationId, vehicle },
      at: deps.clock.now(),
    })
  })
  return readTripWithWarnings(deps, id)
}

/** Cancels a trip; its loads stay at the station. Throws what `lockForEvent` throws. */
export async function abandonTrip(deps: Deps, caller: StaffCaller, id: string, version: number): Promise<TripDetail> {
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const { trip, status } = await lockForEvent(trx, caller, id, version, 'cancelled')
    await updateTripRow(trx, trip, { status, closed_at: at })
    await recordActivity(trx, { action: 'trips.cancelled', userId: caller.userId, subject: trip.number, at })
    return readTrip(trx, id)
  })
}
