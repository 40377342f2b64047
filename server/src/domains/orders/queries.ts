/** Queries on orders and invoices. */
import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { OrderStatus } from '@waybill/contract/ground/enums/parcel-enums'
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { belongsTo, type DbOrTx } from '../../db/pool.ts'
import type { Invoices, Orders } from '../../db/schema.ts'
import type { AccountId } from '../../http/caller.ts'
import type { CheckoutParcel } from '../parcels/queries.ts'
import { selectCheckoutParcels } from '../parcels/service.ts'
import type { StoredParty } from './invoices/seller.ts'
import { selectPendingRefunds } from './refunds/queries-pending.ts'

/** The pickup of an order; its number is assigned at the payment. `visitId`: the visit that it joins without a fee. */
export type OrderPickup = PickupChoice & { stationId: string | null; number: string | null; visitId?: string | null }

type ColumnTypes = {
  account_id: AccountId
  status: OrderStatus
  payment_method: PaymentMethod | null
  lines: PriceLine[]
  pickup: OrderPickup | null
  buyer: StoredParty | null
}
export type OrderRow = Omit<Selectable<Orders>, keyof ColumnTypes> & ColumnTypes
/** An order with the number of its invoice, and the amount of its refunds that staff still have to pay. */
export type ListedOrder = OrderRow & { invoice_number: string | null; refund_pending_minor: number }

/** The account's unpaid orders, locked. There are few at any time. */
export async function lockUnpaidOrders(trx: DbOrTx, accountId: AccountId): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select *
    from orders
    where account_id = ${accountId}::uuid and status = 'pending_payment'
    order by id
    for update`.execute(trx)
  return rows
}

/** The unpaid orders among these, locked. */
export async function lockUnpaidAmong(trx: DbOrTx, ids: readonly string[]): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select *
    from orders
    where id = any(${ids}::uuid[]) and status = 'pending_payment'
    order by id
    for update`.execute(trx)
  return rows
}

const selectOrder = (accountId: AccountId, id: string, createdBy: string | null) => sql`
  select *
  from orders
  where account_id = ${accountId}::uuid
    and id = ${id}::uuid
    and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`

/**
 * An order of the account with its parcels, and with `extra`: a JSON value of a higher domain that is read in the same
 * statement. `extra` is returned even if the order does not exist. `createdBy`: only an order of this user.
 */
export async function findOrderToPay<T>(
  db: DbOrTx,
  accountId: AccountId,
  id: string,
  createdBy: string | null,
  extra: RawBuilder<T>,
): Promise<{ order: OrderRow | undefined; parcels: CheckoutParcel[]; extra: T }> {
  type Row = OrderRow & { extra_value: T; parcels_value: CheckoutParcel[] }
  const { rows } = await sql<Row>`
    select o.*, ${extra} as extra_value, ${selectCheckoutParcels(id)} as parcels_value
    from (select 1) as always_one_row
    left join (${selectOrder(accountId, id, createdBy)}) o on true`.execute(db)
  const { extra_value, parcels_value, ...order } = rows[0] as Row
  return { order: order.id === null ? undefined : order, parcels: parcels_value, extra: extra_value }
}

/** An order, locked until the transaction ends. `createdBy`: only an order of this user. */
export async function lockAccountOrder(
  trx: DbOrTx,
  accountId: AccountId,
  id: string,
  createdBy: string | null,
): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`${selectOrder(accountId, id, createdBy)} for update`.execute(trx)
  return rows[0]
}

/** Cancels unpaid orders and their pending approvals. Returns those that were still unpaid. */
export async function cancelUnpaidOrders(trx: DbOrTx, ids: readonly string[], at: Date): Promise<string[]> {
  if (ids.length === 0) return []
  const cancelled = await trx
    .updateTable('orders')
    .set((value) => ({ status: 'cancel', expires_at: null, version: value('version', '+', 1), updated_at: at }))
    .where('id', 'in', ids)
    .where('status', '=', 'pending_payment')
    .returning(['id', 'approval_id'])
    .execute()
  const withApproval = cancelled.filter(({ approval_id }) => approval_id !== null).map(({ id }) => id)
  if (withApproval.length > 0) {
    await sql`
      update order_approvals
      set status = 'withdrawn', decided_at = ${at}::timestamptz
      where order_id = any(${withApproval}::uuid[]) and status = 'pending'`.execute(trx)
  }
  return cancelled.map(({ id }) => id)
}

/** Stores the pending payment, and extends the order's expiry to `expiresAt`. */
export async function setPaymentUnderWay(
  trx: DbOrTx,
  order: OrderRow,
  payment: { id: string; method: PaymentMethod; expiresAt: Date },
  at: Date,
): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ payment_id: payment.id, payment_method: payment.method, expires_at: payment.expiresAt, updated_at: at })
    .where('account_id', '=', order.account_id)
    .where('id', '=', order.id)
    .execute()
}

/** `expires_at`: a text with microseconds, which a Date cannot hold. */
export type OverdueOrder = { id: string; account_id: AccountId; expires_at: string }

/** Expired unpaid orders, oldest first, after a given one. */
export async function overdueOrders(
  db: DbOrTx,
  now: Date,
  after: OverdueOrder | null,
  limit: number,
): Promise<OverdueOrder[]> {
  const { rows } = await sql<OverdueOrder>`
    select id, account_id, expires_at::text as expires_at
    from orders
    where status = 'pending_payment'
      and expires_at <= ${now}::timestamptz
      and (
        ${after === null}::boolean
        or (expires_at, id) > (${after?.expires_at ?? null}::timestamptz, ${after?.id ?? null}::uuid)
      )
    order by orders.expires_at, id
    limit ${limit}::int`.execute(db)
  return rows
}

/** Locks an order; false if another transaction holds the lock: the next run will try again. */
export async function tryLockOrder(trx: DbOrTx, { id, account_id }: OverdueOrder): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from orders
    where account_id = ${account_id}::uuid and id = ${id}::uuid
    for update skip locked`.execute(trx)
  return rows.length > 0
}

const listed = sql`
  select o.*, i.number as invoice_number, ${selectPendingRefunds('o')} as refund_pending_minor
  from orders o
  left join invoices i on i.order_id = o.id`

/** An order with the number of its invoice. */
export async function findOrder(
  db: DbOrTx,
  accountId: AccountId,
  id: string,
  createdBy: string | null,
): Promise<ListedOrder | undefined> {
  const { rows } = await sql<ListedOrder>`
    ${listed} where o.account_id = ${accountId}::uuid and o.id = ${id}::uuid
      and (${createdBy}::uuid is null or o.created_by = ${createdBy}::uuid)`.execute(db)
  return rows[0]
}

/** An order of any account with the number of its invoice; null if there is none. */
export async function findOrderById(db: DbOrTx, id: string): Promise<ListedOrder | null> {
  const { rows } = await sql<ListedOrder>`${listed} where o.id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/** An order of any account by its number. */
export async function findNumberedOrder(
  db: DbOrTx,
  number: string,
): Promise<{ id: string; number: string; accountId: AccountId } | undefined> {
  const { rows } = await sql<{ id: string; number: string; accountId: AccountId }>`
    select id, number, account_id as "accountId" from orders where number = ${number}`.execute(db)
  return rows[0]
}

/** The orders of an account with these numbers. */
export async function listOrderNumbers(
  db: DbOrTx,
  accountId: AccountId,
  numbers: readonly string[],
): Promise<Pick<OrderRow, 'id' | 'number'>[]> {
  const { rows } = await sql<Pick<OrderRow, 'id' | 'number'>>`
    select id, number from orders where ${belongsTo(accountId)} and number = any(${numbers}::text[])`.execute(db)
  return rows
}

export type InvoiceRow = Omit<Selectable<Invoices>, 'number' | 'lines' | 'seller' | 'buyer' | 'payment_method'> & {
  /** Assigned at the commit. */
  number: string
  lines: PriceLine[]
  seller: StoredParty
  buyer: StoredParty
  payment_method: PaymentMethod
}

/** The number of unpaid orders that do not wait for an approval, of one user or of all, and the first expiry. */
export async function summarizeUnpaidOrders(
  db: DbOrTx,
  accountId: AccountId,
  createdBy: string | null,
): Promise<{ orders: number; firstExpiry: Date | null }> {
  const { rows } = await sql<{ orders: number; first_expiry: Date | null }>`
    select count(*) as orders, min(expires_at) as first_expiry
    from orders
    where account_id = ${accountId}::uuid
      and status = 'pending_payment'
      and approval_id is null
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`.execute(db)
  return { orders: rows[0]?.orders ?? 0, firstExpiry: rows[0]?.first_expiry ?? null }
}

/** The invoice of an order. */
export async function findInvoice(db: DbOrTx, accountId: AccountId, orderId: string): Promise<InvoiceRow | undefined> {
  const row = await db
    .selectFrom('invoices')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return row as InvoiceRow | undefined
}

/** Whether an order of the account is paid, or accepted for the monthly bill. */
export async function hasOrderInWork(db: DbOrTx, accountId: AccountId): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['pending', 'completed'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
