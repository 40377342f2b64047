import type { OrderStatus, PaymentMethod } from '@waybill/contract/enums'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import { fitting } from './queries.ts'
import type { OrderNarrowing } from './rules.ts'

/** What an export shows of an order. */
export type ExportedOrder = {
  id: string
  number: string
  created_at: Date
  /** As the database has it, microseconds and all: where the next batch begins. */
  created_exactly: string
  status: OrderStatus
  payment_method: PaymentMethod | null
  parcel_count: number
  currency: string
  total_minor: number
  tax_minor: number | null
  paid_minor: number
  paid_at: Date | null
  invoice_number: string | null
}

/** Orders of an account after `after`, newest first: by the index that the list reads, and without the lines of each. */
export async function exportBatch(
  db: DbOrTx,
  accountId: AccountId,
  filter: OrderNarrowing,
  after: ExportedOrder | null,
  limit: number,
): Promise<ExportedOrder[]> {
  const from = after ? sql`and (created_at, id) < (${after.created_exactly}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<ExportedOrder>`
    with page as (
      select id, number, created_at, status, payment_method, parcel_count, currency, total_minor, paid_minor, paid_at
      from orders where ${fitting(accountId, filter)} ${from}
      order by created_at desc, id desc limit ${limit})
    select page.*, page.created_at::text as created_exactly, i.tax_minor, i.number as invoice_number
    from page left join invoices i on i.order_id = page.id
    order by page.created_at desc, page.id desc`.execute(db)
  return rows
}
