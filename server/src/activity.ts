/** The activity log: who did what. */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogLevel } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import { type RawBuilder, sql } from 'kysely'
import { deleteOldRows } from './db/batches.ts'
import { withinDays } from './db/conditions/local-days.ts'
import { keysetClauses, type ReadFrom } from './db/keyset.ts'
import { countRows, readPage } from './db/page.ts'
import { type DbOrTx, literals } from './db/pool.ts'
import type { Write } from './db/writes.ts'
import type { AccountId } from './http/caller.ts'
import { newId } from './lib/ids.ts'

/** An entry of the activity log. It never contains a password, a code or a secret. */
export type Activity = {
  /** `domain.verb`, e.g. `auth.login`. */
  action: string
  level?: LogLevel
  accountId?: string | null
  userId?: string | null
  /** The id or key of the record that was changed. */
  subject?: string | null
  detail?: Record<string, unknown>
  /** The client's address. Default: that of the current request. */
  ip?: string | null
  at: Date
}

/** The request being handled: the client's address, and the API key if a program calls. Empty in jobs. */
export const requestOrigin = new AsyncLocalStorage<{ ip: string; apiKey: { id: string; name: string } | null }>()

/** Binds work to the current request, so that its entries name this request if it runs in the context of another. */
export function bindOrigin<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
  const origin = requestOrigin.getStore()
  return (...args) => (origin ? requestOrigin.run(origin, () => work(...args)) : work(...args))
}

/** The row of an entry. */
export type ActivityRow = ReturnType<typeof toActivityRow>

/** The row of an entry, with the client's address and the API key of the current request. */
export function toActivityRow(activity: Activity) {
  const origin = requestOrigin.getStore()
  const key = origin?.apiKey ? { apiKey: { id: origin.apiKey.id, name: origin.apiKey.name } } : {}
  return {
    id: newId(),
    account_id: activity.accountId ?? null,
    user_id: activity.userId ?? null,
    level: activity.level ?? ('INFO' as const),
    action: activity.action,
    subject: activity.subject ?? null,
    detail: { ...activity.detail, ...key },
    ip: activity.ip ?? origin?.ip ?? null,
    at: activity.at,
  }
}

/** Writes entries in the transaction of the action itself. */
export async function recordActivity(trx: DbOrTx, ...activities: Activity[]): Promise<void> {
  if (activities.length === 0) return
  const rows = activities.map(toActivityRow)
  await trx
    .insertInto('activity_log')
    .values(rows.map((row) => ({ ...row, detail: JSON.stringify(row.detail) })))
    .execute()
}

/** Entries as a write of a combined statement, which may have only one such write. */
export function activityWrite(...rows: ActivityRow[]): Write {
  const ctes = sql`
    activity_written as (
      insert into activity_log (id, account_id, user_id, level, action, subject, detail, ip, at)
      select id, account_id, user_id, level, action, subject, detail, ip, at
      from json_to_recordset(${JSON.stringify(rows)}::json) as t(
        id uuid, account_id uuid, user_id uuid, level text, action text, subject text, detail jsonb, ip text,
        at timestamptz)
      returning id
    )`
  return {
    ctes,
    cte: 'activity_written',
    expected: rows.length,
    refused: () => new Error('the activity was not written'),
  }
}

/** The entry of a customer about records of their account: `subject` names a single one, `detail` counts several. */
export function customerActivity(
  { accountId, userId }: { accountId: string; userId: string },
  action: string,
  subjects: readonly (string | null)[],
  at: Date,
): Activity {
  const isSingle = subjects.length === 1
  const detail = isSingle ? {} : { count: subjects.length }
  return { action, accountId, userId, subject: isSingle ? (subjects[0] ?? null) : null, detail, at }
}

/** The actions whose history has a screen. The partial index `activity_log_changes` covers exactly these. */
const indexedActions = [
  'settings.put',
  'pickups.capacity',
  'holidays.add',
  'holidays.remove',
  'pickups.assigned',
  'pickups.started',
  'pickups.completed',
  'pickups.failed',
  'deliveries.assign',
  'deliveries.start',
] as const
export type ShownAction = (typeof indexedActions)[number]

export type ShownActivity = {
  action: ShownAction
  user_id: string | null
  subject: string | null
  detail: Record<string, unknown>
  at: Date
}

/** The latest entries of these actions, newest first; with `subject` only those of one record. */
export async function listActivities(
  db: DbOrTx,
  { actions, subject = null }: { actions: readonly ShownAction[]; subject?: string | null },
  limit: number,
): Promise<ShownActivity[]> {
  // Literals, so that the planner can prove that the partial index covers them.
  const actionList = literals(indexedActions.filter((action) => actions.includes(action)))
  const { rows } = await sql<ShownActivity>`
    select action, user_id, subject, detail, at
    from activity_log
    where action in (${actionList}) ${subject === null ? sql`` : sql`and subject = ${subject}::text`}
    order by at desc, id desc
    limit ${limit}::int`.execute(db)
  return rows
}

type UserAction = {
  id: string
  action: string
  level: LogLevel
  subject: string | null
  at: Date
  at_exactly: string
}

/** What a user did, newest first. */
export async function listActionsOfUser(db: DbOrTx, userId: string, from: ReadFrom): Promise<UserAction[]> {
  const { beyond, order } = keysetClauses(from, { at: 'at', id: 'id' })
  const { rows } = await sql<UserAction>`
    select id, action, level, subject, at, at::text as at_exactly
    from activity_log
    where user_id = ${userId}::uuid ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** The number of a user's actions, at most `countLimit`. */
export async function countActionsOfUser(db: DbOrTx, userId: string): Promise<number> {
  return countRows(db, sql`from activity_log where user_id = ${userId}::uuid`, countLimit)
}

export type AccountActionRow = UserAction & { user_id: string | null }

/** What was done in an account, newest first. */
export async function listActionsOfAccount(
  db: DbOrTx,
  accountId: AccountId,
  from: ReadFrom,
): Promise<AccountActionRow[]> {
  const { beyond, order } = keysetClauses(from, { at: 'at', id: 'id' })
  const { rows } = await sql<AccountActionRow>`
    select id, action, level, user_id, subject, at, at::text as at_exactly
    from activity_log
    where account_id = ${accountId}::uuid ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** The number of these actions, at most `countLimit`. */
export async function countActionsOfAccount(db: DbOrTx, accountId: AccountId): Promise<number> {
  return countRows(db, sql`from activity_log where account_id = ${accountId}::uuid`, countLimit)
}

export type ActionRow = { id: string; action: string; level: LogLevel; subject: string | null; at: Date }

/** A page of what a user did for this account, newest first. */
export async function actionPage(
  db: DbOrTx,
  accountId: AccountId,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: ActionRow[]; total: number }> {
  const own = sql`account_id = ${accountId}::uuid and user_id = ${userId}::uuid`
  return readPage(
    db,
    sql<ActionRow>`
      select id, action, level, subject, at
      from activity_log
      where ${own}
      order by at desc, id desc
      offset ${offset}
      limit ${limit}`,
    sql`activity_log where ${own}`,
    countLimit,
  )
}

/** Null fields filter nothing. `levels`: at least one of these. */
export type LogFilter = {
  accountId: string | null
  hidden: readonly string[]
  levels: readonly LogLevel[] | null
  action: string | null
  days: { from: string | null; to: string | null; timeZone: string }
}

export type LogRow = Omit<UserAction, 'subject'> & {
  account_id: string | null
  user_id: string | null
  subject: string | null
  ip: string | null
  detail: Record<string, unknown>
}

/** Levels are literals, so that the planner can prove that the partial index of warnings and errors covers them. */
function fittingLog({ accountId, hidden, levels, action, days }: LogFilter): RawBuilder<unknown> {
  const all = [sql`true`]
  if (accountId !== null) all.push(sql`account_id = ${accountId}::uuid`)
  if (hidden.length > 0) all.push(sql`action <> all(${hidden}::text[])`)
  if (levels !== null) all.push(sql`level in (${literals(levels)})`)
  if (action !== null) all.push(sql`action = ${action}::text`)
  all.push(...withinDays(sql`at`, days))
  return sql.join(all, sql` and `)
}

/** Entries of the log from a position, newest first (`backward`: oldest first). */
export async function listLogRows(db: DbOrTx, filter: LogFilter, from: ReadFrom): Promise<LogRow[]> {
  const { beyond, order } = keysetClauses(from, { at: 'at', id: 'id' })
  const { rows } = await sql<LogRow>`
    select id, account_id, user_id, level, action, subject, detail, ip, at, at::text as at_exactly
    from activity_log
    where ${fittingLog(filter)} ${beyond}
    order by ${order}
    limit ${from.limit}::int`.execute(db)
  return rows
}

/** The number of these entries, at most `countLimit`. */
export async function countLogRows(db: DbOrTx, filter: LogFilter): Promise<number> {
  return countRows(db, sql`from activity_log where ${fittingLog(filter)}`, countLimit)
}

/**
 * The actions that occur in the log of an account, or in all of it (null). Jumps from action to action in the index, so
 * that the cost grows with the number of actions, not with that of entries.
 */
export async function listActionNames(db: DbOrTx, accountId: AccountId | null): Promise<string[]> {
  const own = accountId === null ? sql`true` : sql`l.account_id = ${accountId}::uuid`
  const { rows } = await sql<{ action: string }>`
    with recursive names as (
      (select l.action from activity_log l where ${own} order by l.action limit 1)
      union all
      select (
        select l.action from activity_log l where ${own} and l.action > names.action order by l.action limit 1
      )
      from names
      where names.action is not null
    )
    select action from names where action is not null`.execute(db)
  return rows.map(({ action }) => action)
}

/** Deletes entries older than `before`. */
export async function deleteOldActivity(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'activity_log', 'at', before)
}
