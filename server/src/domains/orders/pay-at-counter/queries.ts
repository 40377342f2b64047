import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { OrderRow } from '../queries.ts'

/** A locked order is to be paid at a counter: it no longer runs out of time. */
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

/** What a locked order comes to now that some of its parcels were cancelled unpaid. */
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

/** Any order by its number: for a counter, which serves every account. */
export async function orderByNumber(
  db: DbOrTx,
  number: string,
): Promise<{ id: string; number: string; accountId: AccountId } | undefined> {
  const { rows } = await sql<{ id: string; number: string; accountId: AccountId }>`
    select id, number, account_id as "accountId" from orders where number = ${number}`.execute(db)
  return rows[0]
}

/** The numbers of orders by their ids. */
export async function mapOrderNumbers(
  db: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; number: string }>`
    select id, number from orders where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, number }) => [id, number]))
}
