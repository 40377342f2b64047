/** Queries on approvals. */

import type { ApprovalStatus } from '@waybill/contract/orders/approvals'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { type Selectable, sql } from 'kysely'
import { dayBegin } from '../../../db/conditions/local-days.ts'
import { belongsTo, type DbOrTx } from '../../../db/pool.ts'
import type { OrderApprovals } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { OrderRow } from '../queries.ts'

export type ApprovalRow = Omit<Selectable<OrderApprovals>, 'account_id' | 'status'> & {
  account_id: AccountId
  status: ApprovalStatus
  order_number: string
  amount_minor: number
  currency: string
  parcel_count: number
}

const listed = sql`
  select a.*, o.number as order_number, o.total_minor as amount_minor, o.currency, o.parcel_count
  from order_approvals a
  join orders o on o.account_id = a.account_id and o.id = a.order_id`

/** A request by id. */
export async function findApproval(db: DbOrTx, accountId: AccountId, id: string): Promise<ApprovalRow | undefined> {
  const { rows } =
    await sql<ApprovalRow>`${listed} where a.account_id = ${accountId}::uuid and a.id = ${id}::uuid`.execute(db)
  return rows[0]
}

/**
 * Inserts a request and extends its order's expiry to `expiresAt`, or to the rider's visit if that is earlier. Returns
 * the time.
 */
export async function insertApproval(
  trx: DbOrTx,
  order: OrderRow,
  request: { id: string; requestedBy: string; note: string | null; at: Date; expiresAt: Date; timeZone: string },
): Promise<void> {
  const { pickup } = order
  const riderComes = pickup && `${pickup.date} ${pickup.window.slice(0, 5)}`
  await sql`
    with request as (
      insert into order_approvals (account_id, id, order_id, requested_by, note, expires_at, created_at)
      values (
        ${order.account_id}::uuid, ${request.id}::uuid, ${order.id}::uuid, ${request.requestedBy}::uuid,
        ${request.note}::text,
        least(${request.expiresAt}::timestamptz, ${riderComes}::timestamp at time zone ${request.timeZone}::text),
        ${request.at}::timestamptz
      )
      returning *
    )
    update orders o
    set approval_id = request.id, expires_at = request.expires_at, updated_at = request.created_at
    from request
    where o.account_id = request.account_id and o.id = request.order_id`.execute(trx)
}

/** Stores the decision on a locked request. */
export async function setApproval(
  trx: DbOrTx,
  row: ApprovalRow,
  set: { status: ApprovalStatus; decidedBy: string | null; reason: string | null; at: Date },
): Promise<void> {
  await trx
    .updateTable('order_approvals')
    .set({ status: set.status, decided_by: set.decidedBy, reason: set.reason, decided_at: set.at })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute()
}

/** Requests of an account and their number by kind; `requestedBy` null: of all users. */
export async function approvalPage(
  db: DbOrTx,
  accountId: AccountId,
  {
    pending,
    requestedBy,
    offset,
    limit,
  }: { pending: boolean; requestedBy: string | null; offset: number; limit: number },
): Promise<{ rows: ApprovalRow[]; counts: { pending: number; decided: number } }> {
  const own = sql`a.account_id = ${accountId}::uuid
      and (${requestedBy}::uuid is null or a.requested_by = ${requestedBy}::uuid)`
  const which = pending
    ? sql`and a.status = 'pending' order by a.created_at, a.id`
    : sql`and a.status <> 'pending' order by a.created_at desc, a.id desc`
  const [{ rows }, totals] = await Promise.all([
    sql<ApprovalRow>`${listed} where ${own} ${which} offset ${offset} limit ${limit}`.execute(db),
    sql<{ pending: number; decided: number }>`
      select count(*) filter (where a.status = 'pending') as pending,
        count(*) filter (where a.status <> 'pending') as decided
      from order_approvals a
      where ${own}`.execute(db),
  ])
  return { rows, counts: totals.rows[0] ?? { pending: 0, decided: 0 } }
}

/** The open requests of a user. */
export async function listPendingApprovals(
  db: DbOrTx,
  accountId: AccountId,
  userId: string,
): Promise<{ id: string }[]> {
  return db
    .selectFrom('order_approvals')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending')
    .where('requested_by', '=', userId)
    .orderBy('created_at')
    .execute()
}

/** The number of open requests of an account, without those of a user (null: all). */
export async function countPending(
  db: DbOrTx,
  accountId: AccountId,
  exceptUserId: string | null = null,
): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open
    from order_approvals
    where account_id = ${accountId}::uuid and status = 'pending'
      and requested_by is distinct from ${exceptUserId}::uuid`.execute(db)
  return rows[0]?.open ?? 0
}

/** Updates the total of a waiting, locked order, and the visit that it joins. */
export async function updateWaitingOrder(
  trx: DbOrTx,
  order: OrderRow,
  set: { lines: PriceLine[]; totalMinor: number; visitId: string | null },
): Promise<OrderRow> {
  const pickup = order.pickup && { ...order.pickup, visitId: set.visitId }
  await sql`
    update orders
    set lines = ${JSON.stringify(set.lines)}::jsonb, total_minor = ${set.totalMinor}::bigint,
      pickup = ${pickup && JSON.stringify(pickup)}::jsonb
    where account_id = ${order.account_id}::uuid and id = ${order.id}::uuid`.execute(trx)
  return { ...order, lines: set.lines, total_minor: set.totalMinor, pickup }
}

/** Expired requests, oldest first. */
export async function overdueApprovals(
  db: DbOrTx,
  now: Date,
  limit: number,
): Promise<{ id: string; account_id: AccountId }[]> {
  const { rows } = await sql<{ id: string; account_id: AccountId }>`
    select id, account_id
    from order_approvals
    where status = 'pending' and expires_at <= ${now}::timestamptz
    order by expires_at
    limit ${limit}`.execute(db)
  return rows
}

/** Which of these orders were paid with an approval. */
export async function findApprovedOrders(
  db: DbOrTx,
  accountId: AccountId,
  orderIds: readonly string[],
): Promise<Set<string>> {
  if (orderIds.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id
    from orders
    where ${belongsTo(accountId)} and id = any(${orderIds}::uuid[]) and approval_id is not null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The sum of a user's unpaid pay-at-counter orders of a day. */
export async function sumBookedByUser(
  db: DbOrTx,
  accountId: AccountId,
  userId: string,
  since: { day: string; timeZone: string },
): Promise<number> {
  const { rows } = await sql<{ booked: number }>`
    select coalesce(sum(total_minor), 0)::bigint as booked
    from orders
    where account_id = ${accountId}::uuid
      and created_by = ${userId}::uuid
      and status = 'outstanding'
      and payment_method = 'store'
      and paid_at is null
      and created_at >= ${dayBegin(since.day, since.timeZone)}`.execute(db)
  return rows[0]?.booked ?? 0
}
