/** Queries on the browsers that get push messages. */
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { PushSubscriptions } from '../../../db/schema.ts'

export type SubscriptionRow = Selectable<PushSubscriptions>

/** Stores a browser. For a known one, user, session and keys are updated. */
export async function saveSubscription(
  trx: DbOrTx,
  row: Omit<SubscriptionRow, 'created_at'> & { created_at: Date },
): Promise<SubscriptionRow> {
  const { user_id, session_id, p256dh, auth, device } = row
  return trx
    .insertInto('push_subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet({ user_id, session_id, p256dh, auth, device }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The browsers of a user, newest first. */
export async function listSubscriptions(db: DbOrTx, userId: string): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Deletes a browser of a user. False if there is none. */
export async function deleteSubscription(trx: DbOrTx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes all but the newest `most` browsers of a user. */
export async function keepNewest(trx: DbOrTx, userId: string, most: number): Promise<void> {
  await sql`
    delete from push_subscriptions
    where id in (
      select id
      from push_subscriptions
      where user_id = ${userId}::uuid
      order by created_at desc, id desc
      offset ${most}::int
    )`.execute(trx)
}

/** The browsers of users, oldest first. */
export async function findSubscriptionIds(
  db: DbOrTx,
  userIds: readonly string[],
): Promise<{ id: string; user_id: string }[]> {
  if (userIds.length === 0) return []
  return db
    .selectFrom('push_subscriptions')
    .select(['id', 'user_id'])
    .where('user_id', 'in', [...userIds])
    .orderBy('created_at')
    .execute()
}

/** A browser, and whether the session that subscribed it is still open. */
export async function findSubscription(
  db: DbOrTx,
  id: string,
  now: Date,
): Promise<(SubscriptionRow & { signed_in: boolean }) | undefined> {
  const { rows } = await sql<SubscriptionRow & { signed_in: boolean }>`
    select p.*, exists (
      select 1
      from sessions s
      where s.id = p.session_id and s.ended_at is null and s.expires_at > ${now}::timestamptz
    ) as signed_in
    from push_subscriptions p
    where p.id = ${id}::uuid`.execute(db)
  return rows[0]
}
