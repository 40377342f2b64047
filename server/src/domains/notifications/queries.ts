/** Queries that write and deliver notifications, and find their readers. */
import type { AdminUserType, StaffRole } from '@waybill/contract/ground/enums/enums'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { Notifications } from '../../db/schema.ts'
import type { Facts } from './facts.ts'
import type { ChannelChoices, QuietHours } from './rules.ts'

/** A recipient with the preferences that decide the channels. */
export type NotificationReader = QuietHours & {
  id: string
  kind: 'customer' | 'staff'
  email: string
  name: string
  language: string
  staff_type: string | null
  staff_role: string | null
  channels: ChannelChoices
}

const readerColumns = sql`
  u.id, u.kind, u.email, u.name, u.language, u.staff_type, u.staff_role, coalesce(p.channels, '{}') as channels,
  p.quiet_from, p.quiet_until`

/** Users by id. Former and blocked users get no notifications. */
export async function findReaders(db: DbOrTx, ids: readonly string[]): Promise<NotificationReader[]> {
  const { rows } = await sql<NotificationReader>`
    select ${readerColumns}
    from users u
    left join notification_preferences p on p.user_id = u.id
    where u.id = any(${ids}::uuid[]) and u.removed_at is null and u.status <> 'blacklisted'
    order by u.id`.execute(db)
  return rows
}

/**
 * Who reads the notices to users: the owner of the account for a customer who is not active any more, otherwise the
 * user. A removed user is never active.
 */
export async function listStandIns(
  db: DbOrTx,
  ids: readonly string[],
): Promise<{ user_id: string; reader_id: string }[]> {
  const { rows } = await sql<{ user_id: string; reader_id: string }>`
    select u.id as user_id, coalesce(o.id, u.id) as reader_id
    from users u
    left join users o on o.account_id = u.account_id and o.is_owner and u.status <> 'active'
    where u.id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** The owner of an account. */
export async function findOwnerAsReader(db: DbOrTx, accountId: string): Promise<NotificationReader[]> {
  const { rows } = await sql<NotificationReader>`
    select ${readerColumns}
    from users u
    left join notification_preferences p on p.user_id = u.id
    where u.account_id = ${accountId}::uuid and u.is_owner and u.removed_at is null and u.status <> 'blacklisted'
    order by u.created_at
    limit 1`.execute(db)
  return rows
}

/** A kind of staff: its type, and its role if the type has one. */
export type StaffKind = { type: AdminUserType; role: StaffRole | null }

/** All active staff of these kinds: a limit would silently leave some without their notice. */
export async function findStaffAsReaders(db: DbOrTx, kinds: readonly StaffKind[]): Promise<NotificationReader[]> {
  const { rows } = await sql<NotificationReader>`
    select ${readerColumns}
    from users u
    left join notification_preferences p on p.user_id = u.id
    join json_to_recordset(${JSON.stringify(kinds)}::json) as k(type text, role text)
      on u.staff_type = k.type and u.staff_role is not distinct from k.role
    where u.kind = 'staff' and u.status = 'active' and u.removed_at is null
    order by u.id`.execute(db)
  return rows
}

export type NotificationRow = Omit<Selectable<Notifications>, 'facts' | 'collects'> & { facts: Facts }

export type NewNotification = Pick<
  NotificationRow,
  'id' | 'user_id' | 'kind' | 'subject_id' | 'facts' | 'items' | 'created_at' | 'waits_until' | 'delivered_at'
> & { collects: boolean }

/**
 * Inserts notifications. One of a collecting kind is merged into a row that is still waiting, if there is one: items
 * are added up; the subject and the facts stay those of the first.
 */
export async function insertNotifications(trx: DbOrTx, rows: readonly NewNotification[]): Promise<void> {
  if (rows.length === 0) return
  // The index predicate is a literal: PostgreSQL cannot match it with a parameter.
  await sql`
    insert into notifications
      (id, user_id, kind, subject_id, facts, items, collects, created_at, waits_until, delivered_at)
    select id, user_id, kind, subject_id, facts, items, collects, created_at, waits_until, delivered_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (
      id uuid, user_id uuid, kind text, subject_id uuid, facts jsonb, items int, collects boolean,
      created_at timestamptz, waits_until timestamptz, delivered_at timestamptz
    )
    order by user_id
    on conflict (user_id, kind) where collects and waits_until is not null
    do update set items = notifications.items + excluded.items, read_at = null`.execute(trx)
}

/** A notification by id. */
export async function findNotification(db: DbOrTx, id: string): Promise<NotificationRow | undefined> {
  const { rows } = await sql<NotificationRow>`select * from notifications where id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** Locks notifications that have finished waiting. Rows that another process delivers are skipped. */
export async function takeDue(
  trx: DbOrTx,
  now: Date,
  limit: number,
  except: readonly string[],
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select *
    from notifications
    where waits_until <= ${now}::timestamptz and id <> all(${except}::uuid[])
    order by waits_until
    limit ${limit}::int
    for update skip locked`.execute(trx)
  return rows
}

/** Marks notifications as delivered: mail and push are queued, and browsers may pop them up. */
export async function markDelivered(trx: DbOrTx, ids: readonly string[], at: Date): Promise<void> {
  await sql`
    update notifications
    set waits_until = null, delivered_at = ${at}::timestamptz
    where id = any(${ids}::uuid[])`.execute(trx)
}

/** Extends the wait of a notification. */
export async function postpone(trx: DbOrTx, id: string, until: Date): Promise<void> {
  await sql`update notifications set waits_until = ${until}::timestamptz where id = ${id}::uuid`.execute(trx)
}
