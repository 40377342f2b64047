// SQL that creates orders.
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { Write } from '../../db/writes.ts'
import type { AccountId } from '../../http/caller.ts'
import { selectBillingParty } from '../accounts/service.ts'
import { selectTermsInForce } from '../legal/service.ts'
import type { StoredParty } from './invoices/seller.ts'
import type { OrderPickup, OrderRow } from './queries.ts'

export type NewOrder = {
  id: string
  accountId: AccountId
  createdBy: string
  currency: string
  totalMinor: number
  lines: PriceLine[]
  parcelCount: number
  pickup: OrderPickup | null
  /** Null: the account's billing details. */
  buyer: StoredParty | null
  /** Whether the customer accepts the terms of carriage in force by ordering. */
  acceptsTerms: boolean
  at: Date
  expiresAt: Date
}

/** An order with its number from `takeOrderNumbers`. */
export type NumberedOrder = NewOrder & { number: string }

/** The next order numbers. If the transaction is rolled back, they are not used again. */
export async function takeOrderNumbers(trx: DbOrTx, count: number): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select 'ORD-' || lpad(nextval('order_serial')::text, 8, '0') as number
    from generate_series(1, ${count}::int)`.execute(trx)
  return rows.map(({ number }) => number)
}

/** Inserts unpaid orders with their buyers and the terms that they accept. */
export function ordersWrite(orders: readonly NumberedOrder[]): Write {
  const values = orders.map((order) => ({
    account_id: order.accountId,
    id: order.id,
    number: order.number,
    created_by: order.createdBy,
    currency: order.currency,
    total_minor: order.totalMinor,
    lines: order.lines,
    parcel_count: order.parcelCount,
    pickup: order.pickup,
    buyer: order.buyer,
    accepts_terms: order.acceptsTerms,
    expires_at: order.expiresAt,
    at: order.at,
  }))
  const ctes = sql`
    orders_created as (
      insert into orders (account_id, id, number, created_by, status, currency, total_minor, lines, parcel_count,
        pickup, buyer, terms_version, expires_at, created_at, updated_at)
      select account_id, id, number, created_by, 'pending_payment', currency, total_minor, lines, parcel_count, pickup,
        coalesce(buyer, ${selectBillingParty(sql`s.account_id`)}),
        case when accepts_terms then ${selectTermsInForce()} end,
        expires_at, at, at
      from json_to_recordset(${JSON.stringify(values)}::json) as s(
        account_id uuid, id uuid, number text, created_by uuid, currency text, total_minor bigint, lines jsonb,
        parcel_count int, pickup jsonb, buyer jsonb, accepts_terms boolean, expires_at timestamptz, at timestamptz)
      returning 1
    )`
  return {
    ctes,
    cte: 'orders_created',
    expected: orders.length,
    refused: () => new Error('an order was not written'),
  }
}

/** The row that `ordersWrite` writes, except for the buyer (null: the account) and the version of the terms. */
export const toOrderRow = (order: NumberedOrder): OrderRow => ({
  account_id: order.accountId,
  approval_id: null,
  buyer: order.buyer,
  created_at: order.at,
  created_by: order.createdBy,
  currency: order.currency,
  expires_at: order.expiresAt,
  id: order.id,
  lines: order.lines,
  number: order.number,
  paid_at: null,
  paid_minor: 0,
  parcel_count: order.parcelCount,
  payment_id: null,
  payment_method: null,
  pickup: order.pickup,
  refunded_minor: 0,
  status: 'pending_payment',
  terms_version: null,
  total_minor: order.totalMinor,
  updated_at: order.at,
  version: 1,
})
