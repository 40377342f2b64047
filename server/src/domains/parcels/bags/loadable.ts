// Whether a parcel may go into a bag or onto a vehicle: its departure from here would be allowed.
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { findOwnNumber } from '../carrier-handover/bookings.ts'
import { custodyVerdict } from '../custody/rules.ts'
import { parcelCustody, requireHeld, staffScanner } from '../custody/service.ts'
import { lockParcelByNumber, type ParcelRow } from '../queries.ts'
import { getParcelState, nextParcelState } from '../status.ts'
import { requireNumber } from '../tracking-number.ts'
import { transitionForbidden } from '../transition.ts'
import { findBagOfParcel } from './queries.ts'

/**
 * Our number for a scanned one, which may be a carrier's. Called before the transaction, because it queries without
 * it. Throws tracking_number_slip, tracking_number_postal, tracking_number_format.
 */
export async function readParcelCode(deps: Deps, code: string): Promise<string> {
  return requireNumber(await findOwnNumber(deps, code), deps.settings.get('tracking.prefix'))
}

/** A locked parcel. Throws parcel_unknown. */
export async function lockNumberedParcel(trx: DbOrTx, number: string): Promise<ParcelRow> {
  const row = await lockParcelByNumber(trx, number)
  if (!row) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
  return row
}

/** Whether a parcel may depart from a station where the caller scans. */
export function mayDepart(row: ParcelRow, caller: StaffCaller, stationId: string): boolean {
  return (
    nextParcelState(getParcelState(row), 'departed') !== null &&
    row.station_id === stationId &&
    custodyVerdict(parcelCustody(row), 'departed', staffScanner(caller, stationId)) === 'holds'
  )
}

/**
 * Throws transition_forbidden, custody_refused, and parcel_in_bag for a parcel of a bag other than `bagId`, unless the
 * parcel may depart from this station.
 */
export async function requireLoadable(
  trx: DbOrTx,
  caller: StaffCaller,
  row: ParcelRow,
  stationId: string,
  bagId: string | null = null,
): Promise<void> {
  if (!nextParcelState(getParcelState(row), 'departed')) throw transitionForbidden(row, 'departed')
  await requireHeld(trx, row, staffScanner(caller, stationId))
  if (!mayDepart(row, caller, stationId)) throw new AppError('custody_refused')
  const bag = await findBagOfParcel(trx, row.id)
  if (bag && bag.id !== bagId) {
    throw new AppError('parcel_in_bag', { vars: { bag: bag.number }, details: { bag: bag.number } })
  }
}
