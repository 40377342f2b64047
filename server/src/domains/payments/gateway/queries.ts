/** Queries on the gateway's messages. */

import { countLimit } from '@waybill/contract/ground/paging'
import type { gatewayReviews, gatewayTabs, gatewayTroubles } from '@waybill/contract/payments/gateway'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { deleteOldRows } from '../../../db/batches.ts'
import { type Keyed, keysetClauses, type ReadFrom } from '../../../db/keyset.ts'
import { countRows } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { GatewayMessages } from '../../../db/schema.ts'
import type { PaymentRow } from '../queries.ts'

export type GatewayTroubleKind = (typeof gatewayTroubles)[number]
type Tab = (typeof gatewayTabs)[number]

export type GatewayMessage = {
  id: string
  paymentId: string | null
  source: 'response' | 'backend' | 'enquiry'
  accepted: boolean
  /** Why it was refused, or its result. */
  reason: string | null
  payload: Record<string, string>
  /** Why staff must look at it; null: they do not need to. */
  trouble: GatewayTroubleKind | null
  at: Date
}

/** The maximum number of stored untrusted posts per payment, because anybody can send them. */
const maxRefusedPosts = 20

/**
 * Stores a message, trusted or not. A problem that is already known and not handled is stored without being reported
 * again, because a waiting page polls repeatedly.
 */
export async function insertGatewayMessage(db: DbOrTx, message: GatewayMessage): Promise<boolean> {
  const { id, paymentId, source, accepted, reason, trouble, at } = message
  const { rows } = await sql<{ trouble: string | null }>`
    insert into gateway_messages (id, payment_id, source, accepted, reason, payload, at, trouble)
    select ${id}::uuid, ${paymentId}::uuid, ${source}::text, ${accepted}::boolean, ${reason}::text,
      ${JSON.stringify(message.payload)}::jsonb, ${at}::timestamptz,
      case
        when not exists (
          select 1
          from gateway_messages
          where payment_id = ${paymentId}::uuid
            and trouble = ${trouble}::text
            and reason is not distinct from ${reason}::text
            and review <> 'handled'
        ) then ${trouble}::text
      end
    where ${accepted}::boolean
      or ${source}::text = 'enquiry'
      or (
        select count(*)
        from gateway_messages
        where payment_id = ${paymentId}::uuid and not accepted and source <> 'enquiry'
      ) < ${maxRefusedPosts}
    returning trouble`.execute(db)
  return typeof rows[0]?.trouble === 'string'
}

/** Whether a post with a valid signature that fits the payment reported it as paid. */
export async function hasValidPaidPost(db: DbOrTx, paymentId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from gateway_messages
    where payment_id = ${paymentId}::uuid and accepted and source <> 'enquiry' and payload ->> 'Status' = '1'
    limit 1`.execute(db)
  return rows.length > 0
}

export type TroubleRow = Omit<Selectable<GatewayMessages>, 'accepted' | 'source' | 'payload' | 'trouble' | 'review'> & {
  source: GatewayMessage['source']
  payload: Record<string, string>
  trouble: GatewayTroubleKind
  review: (typeof gatewayReviews)[number]
}

const tabs: Record<Tab, RawBuilder<unknown>> = {
  open: sql`m.payment_id is not null and m.review <> 'handled'`,
  handled: sql`m.review = 'handled'`,
}

export type TroubleFilter = { tab: Tab; search: string | null }

function fitting({ tab, search }: TroubleFilter): RawBuilder<unknown> {
  if (search === null) return tabs[tab]
  return sql`${tabs[tab]} and (m.payload ->> 'RefNo' = ${search}::text or m.payload ->> 'TransId' = ${search}::text
    or m.payment_id in (select id from payments where reference = upper(${search}::text)))`
}

const columns = sql`m.id, m.at, m.payment_id, m.source, m.reason, m.payload, m.trouble, m.review, m.review_note,
    m.reviewed_by, m.reviewed_at, m.version`

/** Troubles from a position in the list, newest first (`backward`: oldest first). */
export async function listTroubleRows(
  db: DbOrTx,
  filter: TroubleFilter,
  from: ReadFrom,
): Promise<(TroubleRow & Keyed)[]> {
  const { beyond, order } = keysetClauses(from, { at: 'm.at', id: 'm.id' })
  const { rows } = await sql<TroubleRow & Keyed>`
    select ${columns}, m.at::text as at_exactly
    from gateway_messages m
    where m.trouble is not null and ${fitting(filter)} ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** The number of matching troubles, at most `countLimit`. */
export async function countTroubles(db: DbOrTx, filter: TroubleFilter): Promise<number> {
  return countRows(db, sql`from gateway_messages m where m.trouble is not null and ${fitting(filter)}`, countLimit)
}

/** Payments without an outcome, and the age of the oldest in seconds. */
export async function readPendingPayments(db: DbOrTx): Promise<{ pending: number; oldest_seconds: number }> {
  const { rows } = await sql<{ pending: number; oldest_seconds: number }>`
    select count(*) as pending, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_seconds
    from payments
    where status = 'pending'`.execute(db)
  return rows[0] ?? { pending: 0, oldest_seconds: 0 }
}

/** A trouble, locked. */
export async function lockTrouble(trx: DbOrTx, id: string): Promise<TroubleRow | null> {
  const { rows } = await sql<TroubleRow>`
    select ${columns}
    from gateway_messages m
    where m.id = ${id}::uuid and m.trouble is not null
    for update`.execute(trx)
  return rows[0] ?? null
}

type Review = { review: TroubleRow['review']; note: string | null; by: string; at: Date }

/** Stores the review of a trouble. */
export async function writeReview(trx: DbOrTx, id: string, { review, note, by, at }: Review): Promise<TroubleRow> {
  const { rows } = await sql<TroubleRow>`
    update gateway_messages m
    set review = ${review}::text, review_note = ${note}::text, reviewed_by = ${by}::uuid,
      reviewed_at = ${at}::timestamptz, version = version + 1
    where m.id = ${id}::uuid
    returning ${columns}`.execute(trx)
  return rows[0] as TroubleRow
}

/** Payments by id. */
export async function findPayments(db: DbOrTx, ids: readonly string[]): Promise<Map<string, PaymentRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<PaymentRow>`select * from payments where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Deletes messages older than `before`, except unhandled troubles. */
export async function deleteOldGatewayMessages(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'gateway_messages', 'at', before, sql`(trouble is null or review = 'handled')`)
}
