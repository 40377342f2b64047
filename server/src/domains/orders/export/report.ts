/** Orders as reports read them. */
import { readKeysetPage } from '../../../db/keyset.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { OrderNarrowing } from '../rules.ts'
import {
  type OrderReportRow,
  reportPage,
  type SumRow,
  sumOrders,
  sumOrdersByPeriod,
  type TotalRow,
} from './queries-report.ts'

/** A page of orders, newest first, with the cursors of its neighbours. Throws validation for an invalid cursor. */
export async function readOrderPage(
  db: DbOrTx,
  accountId: AccountId,
  filter: OrderNarrowing,
  page: Parameters<typeof readKeysetPage>[0],
): Promise<{ rows: OrderReportRow[]; next: string | null; previous: string | null }> {
  return readKeysetPage(page, (from) => reportPage(db, accountId, filter, from))
}

/** Orders after a given one, newest first; null: from the newest. For exports, which read in batches. */
export async function ordersAfter(
  db: DbOrTx,
  accountId: AccountId,
  filter: OrderNarrowing,
  after: OrderReportRow | null,
  limit: number,
): Promise<OrderReportRow[]> {
  const key = after && { at: after.at_exactly, id: after.id }
  return reportPage(db, accountId, filter, { key, backward: false, limit })
}

/** Sums by day or month (`start`) and by user (`user_id`). */
export async function readOrderSums(
  db: DbOrTx,
  accountId: AccountId,
  filter: OrderNarrowing,
  step: 'day' | 'month',
  timeZone: string,
): Promise<SumRow[]> {
  return sumOrders(db, accountId, filter, step, timeZone)
}

/** Sums of the orders of all accounts by day or month, without days that have none. */
export async function sumAllOrders(
  db: DbOrTx,
  period: { from: string; to: string; timeZone: string },
  step: 'day' | 'month',
): Promise<TotalRow[]> {
  return sumOrdersByPeriod(db, period, step)
}
