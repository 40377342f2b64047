/** The payment and the ledger entry of an order that is paid at once. */
import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { Deps } from '../../deps.ts'
import type { OrderRow } from '../orders/queries.ts'
import { sumLines } from '../orders/rules.ts'
import type { LedgerEntry } from '../wallet/ledger/service.ts'
import type { Posting } from '../wallet/rules.ts'
import { newPayment, type PaymentRow } from './queries.ts'
import { orderPostings } from './rules.ts'

/** What a payment settles: an order, or several at once (`id` null). */
type SettledOrder = Pick<OrderRow, 'account_id' | 'total_minor' | 'currency'> & { id: string | null }

/** The settled payment of an order. `id`: if the order's writes already refer to it. */
export function buildSettledPayment(
  deps: Deps,
  order: SettledOrder,
  { id, method, actorId }: { id?: string; method: PaymentMethod; actorId: string | null },
): PaymentRow {
  const at = deps.clock.now()
  return newPayment({
    id,
    accountId: order.account_id,
    purpose: 'order',
    orderId: order.id,
    method,
    amountMinor: order.total_minor,
    currency: order.currency,
    createdBy: actorId,
    settledAt: at,
    at,
  })
}

/** The ledger entry of a paid order: from `book` of its account to revenue and tax. */
export function buildOrderEntry(order: OrderRow, payment: PaymentRow, book: Posting['book'], log: string): LedgerEntry {
  const { account_id: accountId } = order
  return {
    kind: 'order',
    accountId,
    orderId: order.id,
    paymentId: payment.id,
    reference: order.number,
    actorId: payment.created_by,
    log,
    currency: order.currency,
    postings: orderPostings({ book, accountId }, order.total_minor, sumLines(order.lines, 'tax')),
  }
}
