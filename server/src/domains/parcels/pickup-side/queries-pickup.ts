// Parcels for the pickup list.
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { ParcelRow } from '../queries.ts'

/** The columns of a parcel in a pickup list. */
export type PickupParcelRow = Pick<
  ParcelRow,
  | 'id'
  | 'tracking_number'
  | 'reference'
  | 'receiver'
  | 'weight_grams'
  | 'cod_amount_minor'
  | 'currency'
  | 'status'
  | 'pickup_request_id'
>

/**
 * All parcels that wait for a rider, of one pickup or of all; `createdBy` null: of all users of the account. There is
 * no limit: a rider counts the list and signs it. Each of these parcels is paid.
 */
export async function listParcelsForPickup(
  db: DbOrTx,
  accountId: AccountId,
  createdBy: string | null,
  pickupRequestId: string | null,
): Promise<PickupParcelRow[]> {
  const { rows } = await sql<PickupParcelRow>`
    select id, tracking_number, reference, receiver, weight_grams, cod_amount_minor, currency, status, pickup_request_id
    from parcels
    where account_id = ${accountId}::uuid
      and status = 'pending_pickup'
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)
      and (${pickupRequestId}::uuid is null or pickup_request_id = ${pickupRequestId}::uuid)
    order by created_at, id`.execute(db)
  return rows
}
