/** Ends payments of cancelled orders. */
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'

/** Expires the pending gateway payments of these orders. Returns their ids. */
export async function expireGatewayPayments(trx: DbOrTx, orderIds: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payments
    set expires_at = ${now}::timestamptz
    where order_id = any(${orderIds}::uuid[]) and status = 'pending'
    returning id`.execute(trx)
  return rows.map(({ id }) => id)
}
