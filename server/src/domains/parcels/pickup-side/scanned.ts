// Parcels that a rider scans, for pickups.
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { findParcelByNumber, lockParcelByNumber, type ParcelRow } from '../queries.ts'
import { parseParcelNumber, requireNumber } from '../tracking-number.ts'
import { currentPickupId } from './queries-waiting.ts'

/**
 * A scanned parcel of any account, locked. Throws tracking_number_slip, tracking_number_format, tracking_number_postal,
 * parcel_unknown.
 */
export async function lockScannedParcel(deps: Deps, trx: DbOrTx, code: string): Promise<ParcelRow> {
  const number = requireNumber(code, deps.settings.get('tracking.prefix'))
  const row = await lockParcelByNumber(trx, number)
  if (!row) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
  return row
}

/** The pickup that a scanned parcel of any account is on, not locked; null if it is on none, or unknown. */
export async function findScannedPickupId(deps: Deps, db: DbOrTx, code: string): Promise<string | null> {
  const { number } = parseParcelNumber(code, deps.settings.get('tracking.prefix'))
  const row = await findParcelByNumber(db, number)
  return row && currentPickupId(row)
}
