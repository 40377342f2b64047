/** Queries of the export of orders. */
import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { OrderStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import { matchesOrderFilter } from '../queries-list.ts'
import { selectPendingRefunds } from '../refunds/queries-pending.ts'
import type { OrderNarrowing } from '../rules.ts'

/** The exported fields of an order. */
export type ExportedOrder = {
  id: string
  number: string
  /**
   * Microseconds since 1970: the exact time in the database, and the start of the next batch. A number is parsed five
   * times as fast as a date.
   */
  created_us: number
  status: OrderStatus
  approval_id: string | null
  payment_method: PaymentMethod | null
  parcel_count: number
  total_minor: number
  tax_minor: number | null
  paid_minor: number
  refunded_minor: number
  refund_pending_minor: number
  paid_us: number | null
  invoice_number: string | null
}

/**
 * A batch of orders after `after`, newest first, using the index of the list. Invoices are looked up one by one: a
 * plain join of two thousand would scan all invoices.
 */
export async function exportBatch(
  db: DbOrTx,
  accountId: AccountId,
  filter: OrderNarrowing,
  after: ExportedOrder | null,
  limit: number,
): Promise<ExportedOrder[]> {
  const from = after
    ? sql`and (created_at, id) < (
        'epoch'::timestamptz + ${after.created_us}::bigint * interval '1 microsecond', ${after.id}::uuid
      )`
    : sql``
  const { rows } = await sql<ExportedOrder>`
    with page as (
      select account_id, id, number, created_at, status, approval_id, payment_method, parcel_count, total_minor,
        paid_minor, refunded_minor, paid_at
      from orders
      where ${matchesOrderFilter(accountId, filter)} ${from}
      order by created_at desc, id desc
      limit ${limit}
    )
    select page.id, page.number, (extract(epoch from page.created_at) * 1000000)::bigint as created_us, page.status,
      page.approval_id, page.payment_method, page.parcel_count, page.total_minor, page.paid_minor,
      page.refunded_minor, ${selectPendingRefunds('page')} as refund_pending_minor,
      (extract(epoch from page.paid_at) * 1000000)::bigint as paid_us, i.tax_minor, i.number as invoice_number
    from page
    left join lateral (select number, tax_minor from invoices where order_id = page.id limit 1) i on true
    order by page.created_at desc, page.id desc`.execute(db)
  return rows
}
