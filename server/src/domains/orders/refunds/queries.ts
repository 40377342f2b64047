/** Queries on refunds and credit notes. */
import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { OrderStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { countLimit, type SortTerm } from '@waybill/contract/ground/paging'
import type { RefundTask } from '@waybill/contract/orders/refunds'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { type Selectable, sql } from 'kysely'
import { readPage } from '../../../db/page.ts'
import { belongsTo, type DbOrTx } from '../../../db/pool.ts'
import type { CreditNotes, Refunds } from '../../../db/schema.ts'
import type { Write } from '../../../db/writes.ts'
import type { AccountId } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { StoredParty } from '../invoices/seller.ts'
import type { OrderRow } from '../queries.ts'

type ColumnTypes = {
  account_id: AccountId
  destination: 'wallet' | 'card' | 'receivable'
  status: RefundTask['status']
}
export type RefundRow = Omit<Selectable<Refunds>, keyof ColumnTypes> & ColumnTypes

/** Orders of the account, locked by id. */
export async function lockOrders(trx: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<OrderRow>`
    select *
    from orders
    where ${belongsTo(accountId)} and id = any(${ids}::uuid[])
    order by id
    for update`.execute(trx)
  return rows
}

/** Orders of the account, not locked. */
export async function findOrders(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<OrderRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<OrderRow>`
    select * from orders where ${belongsTo(accountId)} and id = any(${ids}::uuid[]) order by id`.execute(db)
  return rows
}

/**
 * Paid orders that joined these visits at their checkout. They were made while the visit could be joined, so no order
 * outside its days is read; the margins allow for time zones and clocks.
 */
export async function findOrdersJoining(
  db: DbOrTx,
  accountId: AccountId,
  visits: readonly { id: string; bookedAt: Date; date: string }[],
): Promise<{ id: string; visit_id: string }[]> {
  if (visits.length === 0) return []
  const values = JSON.stringify(visits)
  const { rows } = await sql<{ id: string; visit_id: string }>`
    select o.id, v.id as visit_id
    from json_to_recordset(${values}::json) as v(id text, "bookedAt" timestamptz, date date)
    join orders o on o.account_id = ${accountId}::uuid
      and o.created_at >= v."bookedAt" - interval '1 hour'
      and o.created_at < v.date + 2
      and o.pickup ->> 'visitId' = v.id
    where o.status <> 'pending_payment'`.execute(db)
  return rows
}

/** The orders among these whose pickup fee was refunded. */
export async function ordersWithFeeRefunded(
  db: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ order_id: string }>`
    select order_id
    from credit_notes
    where ${belongsTo(accountId)} and order_id = any(${ids}::uuid[]) and lines @> '[{"kind": "pickup"}]'`.execute(db)
  return new Set(rows.map(({ order_id }) => order_id))
}

/** An order of any account, locked; for work without its customer. */
export async function lockOrderById(trx: DbOrTx, id: string): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`select * from orders where id = ${id}::uuid for update`.execute(trx)
  return rows[0]
}

/** Orders whose status follows their parcels, locked by id: paid or billed, whatever happened afterwards. */
export async function lockOrdersThatFollow(trx: DbOrTx, ids: readonly string[]): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select *
    from orders
    where id = any(${ids}::uuid[]) and status in ('pending', 'outstanding', 'completed', 'cancel')
    order by id
    for update`.execute(trx)
  return rows
}

export type NewRefund = {
  id: string
  destination: RefundRow['destination']
  amountMinor: number
  paymentId: string | null
  /** The parcels' share of the amount; the rest is for a pickup. */
  parcels: { parcel_id: string; amount_minor: number }[]
  actorId: string | null
  note: {
    id: string
    seller: StoredParty
    buyer: StoredParty
    lines: readonly PriceLine[]
    taxMinor: number
    year: number
  }
  at: Date
}

/**
 * Writes a refund of a locked order with its credit note, whose number is assigned at the commit, without gaps within
 * its year. The database refuses more than was paid (orders_refunded), and a second refund of a parcel
 * (refunded_parcels_pkey). The number of credit notes is checked.
 */
export function refundWrite(order: OrderRow, refund: NewRefund): Write {
  const { note } = refund
  const status = refund.destination === 'card' ? 'requested' : 'done'
  const ctes = sql`
    refund_order as (
      update orders
      set refunded_minor = refunded_minor + ${refund.amountMinor}::bigint, version = version + 1,
        updated_at = ${refund.at}::timestamptz
      where account_id = ${order.account_id}::uuid and id = ${order.id}::uuid
      returning account_id, id, currency
    ), refund_made as (
      insert into refunds (
        account_id, id, order_id, destination, status, currency, amount_minor, payment_id, created_by, settled_at,
        created_at
      )
      select account_id, ${refund.id}::uuid, id, ${refund.destination}::text, ${status}::text, currency,
        ${refund.amountMinor}::bigint, ${refund.paymentId}::uuid, ${refund.actorId}::uuid,
        ${status === 'done' ? refund.at : null}::timestamptz, ${refund.at}::timestamptz
      from refund_order
      returning id
    ), refund_parcels as (
      insert into refunded_parcels (account_id, parcel_id, refund_id, amount_minor)
      select o.account_id, p.parcel_id, ${refund.id}::uuid, p.amount_minor
      from refund_order o,
        json_to_recordset(${JSON.stringify(refund.parcels)}::json) as p(parcel_id uuid, amount_minor bigint)
    ), refund_note as (
      insert into credit_notes (
        account_id, id, year, order_id, refund_id, currency, seller, buyer, lines, net_minor, tax_minor, total_minor,
        issued_at
      )
      select account_id, ${note.id}::uuid, ${note.year}::int, id, ${refund.id}::uuid, currency,
        ${JSON.stringify(note.seller)}::jsonb, ${JSON.stringify(note.buyer)}::jsonb,
        ${JSON.stringify(note.lines)}::jsonb, ${refund.amountMinor - note.taxMinor}::bigint, ${note.taxMinor}::bigint,
        ${refund.amountMinor}::bigint, ${refund.at}::timestamptz
      from refund_order
      returning id
    )`
  return { ctes, cte: 'refund_note', expected: 1, refused: () => new AppError('version_conflict') }
}

/** Sets an order's status and raises its version. */
export async function setOrderStatus(trx: DbOrTx, order: OrderRow, status: OrderStatus, at: Date): Promise<void> {
  await trx
    .updateTable('orders')
    .set((value) => ({ status, version: value('version', '+', 1), updated_at: at }))
    .where('account_id', '=', order.account_id)
    .where('id', '=', order.id)
    .execute()
}

/** A refund of any account, for staff. */
export async function findRefund(db: DbOrTx, id: string): Promise<RefundRow | undefined> {
  return (await db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()) as RefundRow | undefined
}

/** The same, locked. Its order must be locked before. */
export async function lockRefund(trx: DbOrTx, id: string): Promise<RefundRow | undefined> {
  const row = await trx.selectFrom('refunds').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row as RefundRow | undefined
}

/** The parcels of a refund with their amounts. */
export async function listParcelIdsOfRefund(db: DbOrTx, refund: RefundRow): Promise<string[]> {
  const rows = await db
    .selectFrom('refunded_parcels')
    .select('parcel_id')
    .where('account_id', '=', refund.account_id)
    .where('refund_id', '=', refund.id)
    .execute()
  return rows.map(({ parcel_id }) => parcel_id)
}

export type SettledRefund = {
  status: 'done' | 'failed'
  bankReference: string | null
  note: string | null
  by: string
  at: Date
}

/** Settles a locked refund. */
export async function setRefundSettled(trx: DbOrTx, refund: RefundRow, settlement: SettledRefund): Promise<void> {
  await trx
    .updateTable('refunds')
    .set((value) => ({
      status: settlement.status,
      bank_reference: settlement.bankReference,
      note: settlement.note,
      settled_by: settlement.by,
      settled_at: settlement.at,
      version: value('version', '+', 1),
    }))
    .where('account_id', '=', refund.account_id)
    .where('id', '=', refund.id)
    .execute()
}

/** A refund to a card with what staff need to pay it. */
export type RefundTaskRow = RefundRow & {
  order_number: string
  account_name: string
  credit_note_number: string
  payment_method: PaymentMethod | null
  payment_reference: string | null
  gateway_transaction: string | null
}

const tasks = sql`refunds r
  join orders o on o.account_id = r.account_id and o.id = r.order_id
  join accounts a on a.id = r.account_id
  join credit_notes n on n.refund_id = r.id
  left join payments p on p.account_id = r.account_id and p.id = r.payment_id`
const taskColumns = sql`r.*, o.number as order_number, a.name as account_name, n.number as credit_note_number,
    p.method as payment_method, p.reference as payment_reference, p.gateway_transaction`

/** A refund to a card with what staff need to pay it. */
export async function findRefundTask(db: DbOrTx, id: string): Promise<RefundTaskRow | undefined> {
  const { rows } = await sql<RefundTaskRow>`
    select ${taskColumns} from ${tasks} where r.id = ${id}::uuid and r.destination = 'card'`.execute(db)
  return rows[0]
}

const taskSort: Record<string, string> = { createdAt: 'r.created_at', amountMinor: 'r.amount_minor' }

/** A page of the refunds to cards and their number. By default those to be paid come first, the oldest on top. */
export async function listRefundTasks(
  db: DbOrTx,
  filter: {
    status: RefundRow['status'] | null
    /** The beginning of an order's, a credit note's or a payment's number. */
    search: string | null
    sort: SortTerm[]
    offset: number
    limit: number
    /** Counting stops here. */
  },
): Promise<{ rows: RefundTaskRow[]; total: number }> {
  const begins = (column: string) =>
    sql`${sql.ref(column)} >= ${filter.search}::text and ${sql.ref(column)} < ${filter.search}::text || '~'`
  const fits = sql`r.destination = 'card'
      and (${filter.status}::text is null or r.status = ${filter.status}::text)
      and (
        ${filter.search}::text is null
        or (${begins('o.number')})
        or (${begins('n.number')})
        or (${begins('p.reference')})
      )`
  const order = [
    ...filter.sort.map(
      ({ field, descending }) => `${taskSort[field] ?? 'r.created_at'} ${descending ? 'desc' : 'asc'}`,
    ),
    ...(filter.sort.length === 0 ? ["(r.status = 'requested') desc"] : []),
    'r.created_at asc',
    'r.id asc',
  ].join(', ')
  const { rows, total } = await readPage(
    db,
    sql<RefundTaskRow>`
      select ${taskColumns}
      from ${tasks}
      where ${fits}
      order by ${sql.raw(order)}
      limit ${filter.limit} offset ${filter.offset}`,
    sql`${tasks} where ${fits}`,
    countLimit,
  )
  return { rows, total: rows.length > 0 ? Math.max(total, filter.offset + rows.length) : total }
}

export type CreditNoteRow = Omit<Selectable<CreditNotes>, 'number' | 'lines' | 'seller' | 'buyer'> & {
  /** Assigned at the commit. */
  number: string
  lines: PriceLine[]
  seller: StoredParty
  buyer: StoredParty
  destination: RefundRow['destination']
  refund_status: RefundRow['status']
  bank_reference: string | null
  settled_at: Date | null
  invoice_number: string | null
  parcels: number
}

/** The credit notes of an order, oldest first; only that one, or only that of a cancelled parcel. */
export async function listCreditNoteRows(
  db: DbOrTx,
  accountId: AccountId,
  orderId: string,
  { id = null, parcelId = null }: { id?: string | null; parcelId?: string | null | undefined } = {},
): Promise<CreditNoteRow[]> {
  const { rows } = await sql<CreditNoteRow>`
    select n.*, r.destination, r.status as refund_status, r.bank_reference, r.settled_at, i.number as invoice_number,
      (select count(*) from refunded_parcels p where p.refund_id = r.id) as parcels
    from credit_notes n
    join refunds r on r.account_id = n.account_id and r.id = n.refund_id
    left join invoices i on i.order_id = n.order_id
    where n.account_id = ${accountId}::uuid
      and n.order_id = ${orderId}::uuid
      and (${id}::uuid is null or n.id = ${id}::uuid)
      and (
        ${parcelId}::uuid is null
        or r.id = (
          select p.refund_id
          from refunded_parcels p
          where p.account_id = n.account_id and p.parcel_id = ${parcelId}::uuid
        )
      )
    order by n.issued_at, n.id`.execute(db)
  return rows
}
