// SQL that marks orders as paid and writes their invoices.
import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'
import { sql } from 'kysely'
import type { Write } from '../../db/writes.ts'
import { AppError } from '../../http/errors.ts'
import type { DocumentFacts } from './invoices/seller.ts'
import type { OrderRow } from './queries.ts'

type Settlement = {
  /** `completed` for a charge without parcels. Default: in progress. */
  status?: 'completed'
  paymentId: string
  method: PaymentMethod
  pickupNumber: string | null
  invoice: DocumentFacts
}

/** A read order that is paid or billed. */
export type PaidOrder = { order: OrderRow; settlement: Settlement }

/**
 * Marks orders as paid (or billed, then without a time of payment) and inserts their invoices. Throws version_conflict
 * if an order changed since it was read. The numbers of invoices are assigned at the commit (trigger invoices_number),
 * without gaps within their year.
 */
export function ordersPaidWrite(paidOrders: readonly PaidOrder[]): Write {
  const values = paidOrders.map(({ order, settlement: { invoice, ...settlement } }) => ({
    account_id: order.account_id,
    id: order.id,
    was_version: order.version,
    was_status: order.status,
    was_approval_id: order.approval_id,
    status: settlement.status ?? 'pending',
    payment_method: settlement.method,
    payment_id: settlement.paymentId,
    paid_at: settlement.method === 'monthly_billing' ? null : invoice.at,
    pickup_number: settlement.pickupNumber,
    invoice_id: invoice.id,
    year: invoice.year,
    seller: invoice.seller,
    buyer: invoice.buyer,
    tax_minor: invoice.taxMinor,
    at: invoice.at,
  }))
  const ctes = sql`
    orders_paid as (
      update orders o
      set status = s.status, paid_minor = o.total_minor, payment_method = s.payment_method,
        payment_id = s.payment_id, paid_at = s.paid_at, expires_at = null, version = o.version + 1, updated_at = s.at,
        pickup = case
          when o.pickup is null then null
          else o.pickup || jsonb_build_object('number', s.pickup_number)
        end
      from json_to_recordset(${JSON.stringify(values)}::json) as s(
        account_id uuid, id uuid, was_version int, was_status text, was_approval_id uuid, status text,
        payment_method text, payment_id uuid, paid_at timestamptz, pickup_number text, invoice_id uuid, year int,
        seller jsonb, buyer jsonb, tax_minor bigint, at timestamptz)
      where o.account_id = s.account_id
        and o.id = s.id
        and o.version = s.was_version
        and o.status = s.was_status
        and o.approval_id is not distinct from s.was_approval_id
      returning o.account_id, o.id, o.currency, o.lines, o.total_minor, o.payment_method, o.paid_at, s.invoice_id,
        s.year, s.seller, s.buyer, s.tax_minor, s.at
    ), order_invoices as (
      insert into invoices (
        account_id, id, year, order_id, currency, seller, buyer, lines, net_minor, tax_minor, total_minor,
        payment_method, paid_at, issued_at
      )
      select account_id, invoice_id, year, id, currency, seller, buyer, lines, total_minor - tax_minor, tax_minor,
        total_minor, payment_method, paid_at, at
      from orders_paid
      returning id
    )`
  return {
    ctes,
    cte: 'order_invoices',
    expected: paidOrders.length,
    refused: () => new AppError('version_conflict'),
  }
}
