import type { LogLevel } from '@waybill/contract/enums'
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
  ip?: string | null
  at: Date
}

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
        ip: activity.ip ?? null,
        at: activity.at,
      })),
    )
    .execute()
}
