/** Queries on orders that are paid at a counter. */
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { sql } from 'kysely'
import { belongsTo, type DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { OrderRow } from '../queries.ts'

/** Books a locked order for a counter: it no longer expires. */
export async function setPaidInStore(trx: DbOrTx, order: OrderRow, at: Date): Promise<OrderRow> {
  const row = await trx
    .updateTable('orders')
    .set((value) => ({
      status: 'outstanding',
      payment_method: 'store',
      payment_id: null,
      expires_at: null,
      version: value('version', '+', 1),
      updated_at: at,
    }))
    .where('account_id', '=', order.account_id)
    .where('id', '=', order.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as OrderRow
}

/** Updates the total of a locked order after unpaid parcels were cancelled. */
export async function setTotals(
  trx: DbOrTx,
  order: OrderRow,
  totals: { lines: readonly PriceLine[]; totalMinor: number; parcelCount: number },
): Promise<void> {
  await trx
    .updateTable('orders')
    .set({
      lines: JSON.stringify(totals.lines),
      total_minor: totals.totalMinor,
      parcel_count: totals.parcelCount,
    })
    .where('account_id', '=', order.account_id)
    .where('id', '=', order.id)
    .execute()
}

/** Order numbers by id. */
export async function mapOrderNumbers(
  db: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; number: string }>`
    select id, number from orders where ${belongsTo(accountId)} and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, number }) => [id, number]))
}
