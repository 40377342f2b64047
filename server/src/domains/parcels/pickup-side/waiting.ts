/** Parcels as pickups see them: what waits for a rider, and on which pickup it is. */
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { onlyCreatedBy } from '../access.ts'
import { lockParcelByNumber, type ParcelRow } from '../queries.ts'
import { requireNumber } from '../tracking-number.ts'
import { parcelsWaiting } from './queries-waiting.ts'

/**
 * The parcel of a number as somebody scans it, whoever's, locked. Throws tracking_number_slip, tracking_number_format,
 * parcel_unknown.
 */
export async function lockScannedParcel(deps: Deps, trx: DbOrTx, given: string): Promise<ParcelRow> {
  const number = requireNumber(given, deps.settings.get('tracking.prefix'))
  const row = await lockParcelByNumber(trx, number)
  if (!row) throw new AppError('parcel_unknown', { vars: { number }, details: { number } })
  return row
}

/** Most parcels that one pickup is asked for. */
const mostWaiting = 1000

/**
 * Paid parcels of the account that wait for a rider, whether or not one is to come; a member without the right sees the
 * own ones.
 */
export function listWaitingForRider(db: DbOrTx, accountId: AccountId, caller: CustomerCaller): Promise<ParcelRow[]> {
  return parcelsWaiting(db, accountId, onlyCreatedBy(caller), mostWaiting)
}
