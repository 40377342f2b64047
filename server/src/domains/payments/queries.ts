/** Queries on payments. */
import type { PaymentMethod, PaymentStatus } from '@waybill/contract/ground/enums/enums'
import type { Payment } from '@waybill/contract/payments/payments'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { Payments } from '../../db/schema.ts'
import type { Write } from '../../db/writes.ts'
import type { AccountId } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { insertEvents } from '../../outbox/outbox.ts'
import { gatewayReference } from './rules.ts'

type ColumnTypes = {
  account_id: AccountId
  purpose: Payment['purpose']
  method: PaymentMethod
  status: PaymentStatus
}
export type PaymentRow = Omit<Selectable<Payments>, keyof ColumnTypes> & ColumnTypes

/** A new payment. `settledAt`: its money moves in the same transaction. */
type NewPayment = {
  id?: string
  accountId: AccountId
  purpose: 'order' | 'topup'
  orderId: string | null
  method: PaymentMethod
  amountMinor: number
  currency: string
  bonusMinor?: number
  channel?: number
  /** Null: no user, but a job. */
  createdBy: string | null
  expiresAt?: Date
  settledAt?: Date
  at: Date
}

/** The row of a new payment, with its number at the gateway. */
export function newPayment({ id = newId(), ...values }: NewPayment): PaymentRow {
  return {
    account_id: values.accountId,
    id,
    purpose: values.purpose,
    order_id: values.orderId,
    method: values.method,
    status: values.settledAt ? 'succeeded' : 'pending',
    amount_minor: values.amountMinor,
    currency: values.currency,
    bonus_minor: values.bonusMinor ?? 0,
    reference: gatewayReference(id),
    gateway_transaction: null,
    gateway_payment_id: values.channel ?? null,
    failure_code: null,
    created_by: values.createdBy,
    expires_at: values.expiresAt ?? null,
    settled_at: values.settledAt ?? null,
    asked_at: null,
    asks: 0,
    created_at: values.at,
  }
}

const settledPayload = sql`jsonb_build_object(
    'accountId', account_id, 'paymentId', id, 'purpose', purpose, 'orderId', order_id, 'status', status
  )`

/**
 * Inserts payments, and the events of those that are settled already. `orderIds`: the orders of one payment that pays
 * several at once.
 */
export function paymentsWrite(payments: readonly PaymentRow[], orderIds: readonly string[] = []): Write {
  const several = orderIds.length > 1 ? JSON.stringify({ orderIds }) : '{}'
  const payload = sql`${settledPayload} || ${several}::jsonb`
  const columns = sql`account_id, id, purpose, order_id, method, status, amount_minor, currency, reference,
        gateway_payment_id, created_by, expires_at, settled_at, created_at, bonus_minor`
  const ctes = sql`
    payments_made as (
      insert into payments (${columns})
      select ${columns}
      from json_to_recordset(${JSON.stringify(payments)}::json) as t(
        account_id uuid, id uuid, purpose text, order_id uuid, method text, status text, amount_minor bigint,
        currency text, reference text, gateway_payment_id int, created_by uuid, expires_at timestamptz,
        settled_at timestamptz, created_at timestamptz, bonus_minor bigint)
      returning *
    ), payments_emitted as (
      ${insertEvents('payment.settled', payload, sql`payments_made where status = 'succeeded'`)}
    )`
  return {
    ctes,
    cte: 'payments_made',
    expected: payments.length,
    refused: () => new Error('a payment was not written'),
  }
}

/** A payment of an account. `createdBy`: only a payment of this user. */
export async function findAccountPayment(
  db: DbOrTx,
  accountId: AccountId,
  id: string,
  createdBy: string | null,
): Promise<PaymentRow | undefined> {
  let query = db.selectFrom('payments').selectAll().where('account_id', '=', accountId).where('id', '=', id)
  if (createdBy !== null) query = query.where('created_by', '=', createdBy)
  return (await query.executeTakeFirst()) as PaymentRow | undefined
}

/** A payment of any account, for the gateway and for jobs. */
export async function findPayment(db: DbOrTx, id: string): Promise<PaymentRow | undefined> {
  return (await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()) as PaymentRow | undefined
}

/** A payment by its number at the gateway. */
export async function findByReference(db: DbOrTx, reference: string): Promise<PaymentRow | undefined> {
  const row = await db.selectFrom('payments').selectAll().where('reference', '=', reference).executeTakeFirst()
  return row as PaymentRow | undefined
}

/** A payment, locked. */
export async function lockPayment(trx: DbOrTx, id: string): Promise<PaymentRow | undefined> {
  const row = await trx.selectFrom('payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row as PaymentRow | undefined
}

/** Whether another gateway payment of the order is pending. */
export async function hasOtherPending(trx: DbOrTx, orderId: string, exceptId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', orderId)
    .where('id', '!=', exceptId)
    .where('status', '=', 'pending')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type PaymentSettlement = {
  status: Exclude<PaymentStatus, 'pending'>
  /** A key under `gateway.` in the locale files. */
  failureCode: string | null
  gatewayTransaction: string | null
  at: Date
}

/** Settles a locked payment, with its event. */
export function settlePaymentWrite(payment: PaymentRow, settlement: PaymentSettlement): Write {
  const ctes = sql`
    payment_settled as (
      update payments
      set status = ${settlement.status}::text, failure_code = ${settlement.failureCode}::text,
        settled_at = ${settlement.at}::timestamptz,
        gateway_transaction = coalesce(${settlement.gatewayTransaction}::text, gateway_transaction)
      where account_id = ${payment.account_id}::uuid and id = ${payment.id}::uuid
      returning *
    ), payment_emitted as (
      ${insertEvents('payment.settled', settledPayload, sql`payment_settled`)}
    )`
  return { ctes, cte: 'payment_settled', expected: 1, refused: () => new AppError('version_conflict') }
}

/**
 * Claims the right to query the gateway about a pending payment: true for one caller per pause, across all processes.
 * After the listed pauses the last one repeats.
 */
export async function claimGatewayCheck(
  db: DbOrTx,
  id: string,
  now: Date,
  pauseSeconds: readonly number[],
): Promise<boolean> {
  const pauses = sql`${[...pauseSeconds]}::int[]`
  const { rows } = await sql`
    update payments
    set asked_at = ${now}::timestamptz, asks = asks + 1
    where id = ${id}::uuid
      and status = 'pending'
      and (expires_at is null or expires_at > ${now}::timestamptz)
      and (
        asked_at is null
        or asked_at + make_interval(
          secs => (${pauses})[least(asks + 1, array_length(${pauses}, 1))]
        ) <= ${now}::timestamptz
      )
    returning 1`.execute(db)
  return rows.length > 0
}
