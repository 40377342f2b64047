import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogLevel } from '@waybill/contract/ground/enums'
import { sql } from 'kysely'
import type { DbOrTx } from './db/pool.ts'
import { newId } from './lib/ids.ts'

/** Something that somebody did, for the activity log. Never a password, a code or a secret in it. */
export type Activity = {
  /** `domain.verb`, e.g. `auth.login`. */
  action: string
  level?: LogLevel
  accountId?: string | null
  userId?: string | null
  /** What it was done to: an id or a key. */
  subject?: string | null
  detail?: Record<string, unknown>
  /** Absent: where the request came from that is being answered. */
  ip?: string | null
  at: Date
}

/** The address that the request came from, for whatever is done while it is answered; nothing in jobs. */
export const requestAddress = new AsyncLocalStorage<string>()

/** Writes to the activity log in the transaction that makes it true. */
export async function recordActivity(trx: DbOrTx, ...activities: Activity[]): Promise<void> {
  if (activities.length === 0) return
  await trx
    .insertInto('activity_log')
    .values(
      activities.map((activity) => ({
        id: newId(),
        account_id: activity.accountId ?? null,
        user_id: activity.userId ?? null,
        level: activity.level ?? 'INFO',
        action: activity.action,
        subject: activity.subject ?? null,
        detail: JSON.stringify(activity.detail ?? {}),
        ip: activity.ip ?? requestAddress.getStore() ?? null,
        at: activity.at,
      })),
    )
    .execute()
}

/** Actions whose history is shown; the index `activity_log_changes` has them and no others. */
const shown = [
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
export type ShownAction = (typeof shown)[number]

export type ShownActivity = {
  action: ShownAction
  user_id: string | null
  subject: string | null
  detail: Record<string, unknown>
  at: Date
}

/** The newest of these actions, newest first; `subject`: done to this alone. */
export async function listActivities(
  db: DbOrTx,
  { actions, subject = null }: { actions: readonly ShownAction[]; subject?: string | null },
  limit: number,
): Promise<ShownActivity[]> {
  // Literals, so that the planner knows that the partial index has all of them.
  const wanted = sql.join(shown.filter((action) => actions.includes(action)).map((action) => sql.lit(action)))
  const { rows } = await sql<ShownActivity>`
    select action, user_id, subject, detail, at
    from activity_log
    where action in (${wanted}) ${subject === null ? sql`` : sql`and subject = ${subject}::text`}
    order by at desc, id desc
    limit ${limit}::int`.execute(db)
  return rows
}

/** Deletes at most `limit` entries from before `before`. Returns how many. */
export async function deleteOldActivity(db: DbOrTx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from activity_log
    where id in (
      select id
      from activity_log
      where at < ${before}::timestamptz
      order by at
      limit ${limit}::int
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
