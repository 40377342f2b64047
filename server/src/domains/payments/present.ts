/** Formats payments for the API. */
import type { Translate } from '@waybill/contract/ground/validation'
import type { Payment } from '@waybill/contract/payments/payments'
import type { PaymentRow } from './queries.ts'

/** A payment for its customer. */
export function presentPayment(row: PaymentRow, t: Translate): Payment {
  return {
    id: row.id,
    purpose: row.purpose,
    orderId: row.order_id,
    method: row.method,
    status: row.status,
    amountMinor: row.amount_minor,
    currency: row.currency,
    failure: row.failure_code === null ? null : t(`gateway.${row.failure_code}`),
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
}
