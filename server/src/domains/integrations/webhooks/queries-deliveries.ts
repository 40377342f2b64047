/** Queries on deliveries: the queue, and the log. */
import { type Insertable, type Selectable, sql } from 'kysely'
import { deleteOldRows } from '../../../db/batches.ts'
import { type Keyed, keysetClauses, type ReadFrom } from '../../../db/keyset.ts'
import { countRows } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { WebhookDeliveries } from '../../../db/schema.ts'
import type { PostResult } from '../../../lib/outbound/post.ts'

export type DeliveryRow = Selectable<WebhookDeliveries>

/** Inserts deliveries that are due. */
export async function insertDeliveries(trx: DbOrTx, rows: readonly Insertable<WebhookDeliveries>[]): Promise<void> {
  await trx
    .insertInto('webhook_deliveries')
    .values([...rows])
    .execute()
}

/** A delivery of a webhook. */
export async function findWebhookDelivery(db: DbOrTx, webhookId: string, id: string): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The next delivery that is due, in the order of the events. */
export async function nextDue(db: DbOrTx, webhookId: string, now: Date): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .where('due_at', '<=', now)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
}

/** When the next delivery of a webhook is due; null if none is waiting. */
export async function nextDueAt(db: DbOrTx, webhookId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select((select) => select.fn.min('due_at').as('at'))
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return row?.at ?? null
}

/** The number of waiting deliveries of each of these webhooks. */
export async function countWaitingDeliveries(db: DbOrTx, webhookIds: readonly string[]): Promise<Map<string, number>> {
  if (webhookIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select((select) => ['webhook_id', select.fn.countAll<number>().as('count')])
    .where('webhook_id', 'in', [...webhookIds])
    .where('status', '=', 'pending')
    .groupBy('webhook_id')
    .execute()
  return new Map(rows.map(({ webhook_id, count }) => [webhook_id, Number(count)]))
}

/**
 * Records an attempt. `dueAt`: when the next attempt is due; null after the last. There is none if the webhook was
 * paused during the attempt, which has discarded the delivery.
 */
export async function recordAttempt(
  trx: DbOrTx,
  id: string,
  { status, excerpt, problem, durationMs }: PostResult,
  { state, dueAt, at }: { state: 'pending' | 'delivered' | 'failed'; dueAt: Date | null; at: Date },
): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set((value) => ({
      status: state === 'pending' ? value.ref('status') : state,
      due_at: sql<Date | null>`case when status = 'pending' then ${dueAt}::timestamptz end`,
      attempts: value('attempts', '+', 1),
      attempted_at: at,
      response_status: status,
      response_excerpt: excerpt,
      problem,
      duration_ms: durationMs,
    }))
    .where('id', '=', id)
    .execute()
}

/** Requeues a delivery and resets its attempts. */
export async function requeueDelivery(trx: DbOrTx, id: string, at: Date): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', due_at: at, attempts: 0 })
    .where('id', '=', id)
    .execute()
}

/** Marks waiting deliveries as failed, when a webhook is switched off. */
export async function failWaiting(trx: DbOrTx, webhookId: string): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', due_at: null, problem: 'disabled' })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .execute()
}

const deliveryFilter = (webhookId: string, status: string | null) =>
  sql`webhook_id = ${webhookId}::uuid and (${status}::text is null or status = ${status}::text)`

/** The log of a webhook from a position, newest first (`backward`: oldest first). */
export async function listDeliveryRows(
  db: DbOrTx,
  webhookId: string,
  status: string | null,
  from: ReadFrom,
): Promise<(DeliveryRow & Keyed)[]> {
  const { beyond, order } = keysetClauses(from, { at: 'created_at', id: 'id' })
  const { rows } = await sql<DeliveryRow & Keyed>`
    select *, created_at::text as at_exactly
    from webhook_deliveries
    where ${deliveryFilter(webhookId, status)} ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** The number of deliveries in the log, up to `most`. */
export async function countDeliveries(
  db: DbOrTx,
  webhookId: string,
  status: string | null,
  most: number,
): Promise<number> {
  return countRows(db, sql`from webhook_deliveries where ${deliveryFilter(webhookId, status)}`, most)
}

/** Deletes deliveries that are older than `before`. */
export async function deleteOldDeliveries(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'webhook_deliveries', 'created_at', before)
}
