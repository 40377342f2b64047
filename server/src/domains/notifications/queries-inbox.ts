/** Queries for readers of notifications: the list, the unread count, pop-ups and preferences. */
import { sql } from 'kysely'
import { deleteOldRows } from '../../db/batches.ts'
import { type Keyed, keysetClauses, type ReadFrom } from '../../db/keyset.ts'
import { countRows } from '../../db/page.ts'
import type { DbOrTx } from '../../db/pool.ts'
import type { NotificationRow } from './queries.ts'
import type { ChannelChoices, QuietHours } from './rules.ts'

/** `kinds`: null for all. */
export type NotificationFilter = { userId: string; unread: boolean; kinds: readonly string[] | null }

const matching = ({ userId, unread, kinds }: NotificationFilter) => sql`
  user_id = ${userId}::uuid
    ${unread ? sql`and read_at is null` : sql``}
    ${kinds === null ? sql`` : sql`and kind = any(${kinds}::text[])`}`

/** Notifications of a user from a position, newest first (`backward`: oldest first). */
export async function listNotificationRows(
  db: DbOrTx,
  filter: NotificationFilter,
  from: ReadFrom,
): Promise<(NotificationRow & Keyed)[]> {
  const { beyond, order } = keysetClauses(from, { at: 'created_at', id: 'id' })
  const { rows } = await sql<NotificationRow & Keyed>`
    select *, created_at::text as at_exactly
    from notifications
    where ${matching(filter)} ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** The number of notifications of a user, up to `most`. */
export async function countNotifications(db: DbOrTx, filter: NotificationFilter, most: number): Promise<number> {
  return countRows(db, sql`from notifications where ${matching(filter)}`, most)
}

/** Marks notifications of a user as read; `ids`: null for all. Returns how many were unread. */
export async function markNotificationsRead(
  db: DbOrTx,
  userId: string,
  ids: readonly string[] | null,
  at: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update notifications
    set read_at = ${at}::timestamptz
    where user_id = ${userId}::uuid and read_at is null
      ${ids === null ? sql`` : sql`and id = any(${ids}::uuid[])`}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

type Popup = { userId: string; sessionId: string; kinds: readonly string[]; since: Date; limit: number }

/**
 * Takes what has come since the session began and has not popped up in it yet, newest first. If two tabs ask at once,
 * each notification pops up in one of them: only one can insert the row in `notification_popups`.
 */
export async function takePopups(
  db: DbOrTx,
  { userId, sessionId, kinds, since, limit }: Popup,
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    with candidates as (
      select id
      from notifications n
      where user_id = ${userId}::uuid
        and read_at is null
        and delivered_at > ${since}::timestamptz
        and delivered_at >= (select s.created_at from sessions s where s.id = ${sessionId}::uuid)
        and kind = any(${kinds}::text[])
        and not exists (
          select 1 from notification_popups p where p.notification_id = n.id and p.session_id = ${sessionId}::uuid
        )
      order by created_at desc, id desc
      limit ${limit}::int
    ), taken as (
      insert into notification_popups (notification_id, session_id)
      select id, ${sessionId}::uuid
      from candidates
      on conflict do nothing
      returning notification_id
    )
    select n.*
    from taken t
    join notifications n on n.id = t.notification_id
    order by n.created_at desc, n.id desc`.execute(db)
  return rows
}

/** These notifications do not pop up in the session. */
export async function skipPopups(trx: DbOrTx, notificationIds: readonly string[], sessionId: string): Promise<void> {
  await sql`
    insert into notification_popups (notification_id, session_id)
    select id, ${sessionId}::uuid
    from unnest(${notificationIds}::uuid[]) as id`.execute(trx)
}

export type NotificationPreferencesRow = QuietHours & { channels: ChannelChoices; version: number }

/** The changes of a user; undefined if there are none. */
export async function findNotificationPreferences(
  db: DbOrTx,
  userId: string,
): Promise<NotificationPreferencesRow | undefined> {
  const { rows } = await sql<NotificationPreferencesRow>`
    select channels, quiet_from, quiet_until, version
    from notification_preferences
    where user_id = ${userId}::uuid`.execute(db)
  return rows[0]
}

/** Stores preferences. False if `version` is outdated (0: there is no row yet). */
export async function saveNotificationPreferences(
  trx: DbOrTx,
  userId: string,
  { channels, quiet_from, quiet_until, version }: NotificationPreferencesRow,
  at: Date,
): Promise<boolean> {
  const values = sql`${JSON.stringify(channels)}::jsonb, ${quiet_from}::text, ${quiet_until}::text, ${at}::timestamptz`
  const { numAffectedRows } =
    version === 0
      ? await sql`
        insert into notification_preferences (user_id, channels, quiet_from, quiet_until, updated_at)
        values (${userId}::uuid, ${values})
        on conflict do nothing`.execute(trx)
      : await sql`
        update notification_preferences
        set (channels, quiet_from, quiet_until, updated_at) = (${values}), version = version + 1
        where user_id = ${userId}::uuid and version = ${version}::int`.execute(trx)
  return Number(numAffectedRows ?? 0) > 0
}

/** Deletes notifications older than `before`. */
export async function deleteOldNotifications(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'notifications', 'created_at', before)
}
