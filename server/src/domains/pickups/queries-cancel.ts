import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'

/** Writes how many parcels pickups have left; one with none is failed and marked as cancelled. One statement. */
export async function setParcelsLeft(
  trx: DbOrTx,
  accountId: AccountId,
  left: ReadonlyMap<string, number>,
  at: Date,
): Promise<void> {
  const given = JSON.stringify([...left].map(([id, parcels]) => ({ id, parcels })))
  await sql`
    update pickup_requests p set parcel_count = g.parcels, version = p.version + 1, updated_at = ${at}::timestamptz,
      status = case when g.parcels = 0 then 'failed' else p.status end,
      cancelled_at = case when g.parcels = 0 then ${at}::timestamptz end
    from json_to_recordset(${given}::json) as g(id uuid, parcels integer)
    where p.account_id = ${accountId}::uuid and p.id = g.id and p.status <> 'completed'`.execute(trx)
}
