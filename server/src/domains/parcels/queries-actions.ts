import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import type { ParcelRow } from './queries.ts'

/**
 * The parcels with these ids and all parcels of these orders, in the order of their ids; `lock` holds them until the
 * transaction ends. Locked by one statement, so that two callers never wait for each other in a circle.
 */
export async function parcelsWithOrderRows(
  db: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  orderIds: readonly string[],
  lock: boolean,
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select * from parcels where account_id = ${accountId}::uuid and (id = any(${ids}::uuid[]) or order_id = any(${orderIds}::uuid[]))
    order by id ${lock ? sql`for update` : sql``}`.execute(db)
  return rows
}
