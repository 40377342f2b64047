// Parcels for the pickup list.
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { ParcelRow } from '../queries.ts'

/** The maximum number of parcels in a list. */
const most = 5000

/** Parcels that wait for a rider, of one pickup or of all; `createdBy` null: of all users of the account. */
export async function listParcelsForPickup(
  db: DbOrTx,
  accountId: AccountId,
  createdBy: string | null,
  pickupRequestId: string | null,
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where account_id = ${accountId}::uuid
      and status = 'pending_pickup'
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)
      and (${pickupRequestId}::uuid is null or pickup_request_id = ${pickupRequestId}::uuid)
    order by created_at, id
    limit ${most}`.execute(db)
  return rows
}
