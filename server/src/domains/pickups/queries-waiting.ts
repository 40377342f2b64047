import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import type { PickupRow } from './queries.ts'

/** An account's requests by id, the next one first. */
export async function findPickups(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<PickupRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<PickupRow>`
    select * from pickup_requests where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
    order by pickup_date, pickup_window, number`.execute(db)
  return rows
}
