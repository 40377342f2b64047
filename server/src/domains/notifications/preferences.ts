/** Users' notification preferences: kinds, channels and quiet hours. */
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { notificationChannels, notificationTopicNames, notificationTopics } from '@waybill/contract/notifications/kinds'
import type {
  getNotificationPreferences,
  putNotificationPreferences,
} from '@waybill/contract/notifications/notifications'
import { recordActivity } from '../../activity.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { UserCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import {
  findNotificationPreferences,
  type NotificationPreferencesRow,
  saveNotificationPreferences,
} from './queries-inbox.ts'
import { isOn } from './rules.ts'

type Preferences = ResponseOf<typeof getNotificationPreferences>

const untouched: NotificationPreferencesRow = { channels: {}, quiet_from: null, quiet_until: null, version: 0 }

function present(
  { channels, quiet_from: from, quiet_until: until, version }: NotificationPreferencesRow,
  caller: UserCaller,
) {
  const topics = notificationTopicNames
    .filter((topic) => {
      const { readers } = notificationTopics[topic]
      return readers === 'everybody' || (readers === 'staff') === (caller.kind === 'staff')
    })
    .map((topic) => ({
      topic,
      channels: notificationChannels.map((channel) => {
        const byDefault: 'always' | 'on' | 'off' = notificationTopics[topic][channel]
        const fixed = byDefault === 'always'
        return { channel, fixed, on: fixed || (channels[`${topic}.${channel}`] ?? byDefault === 'on') }
      }),
    }))
  return { topics, quietHours: from === null || until === null ? null : { from, until }, version }
}

/** The caller's preferences; defaults until the caller changes something. */
export async function readNotificationPreferences(deps: Deps, caller: UserCaller): Promise<Preferences> {
  return present((await findNotificationPreferences(deps.db, caller.userId)) ?? untouched, caller)
}

/** Changes the caller's preferences. Mandatory notifications stay on. Throws version_conflict. */
export async function changeNotificationPreferences(
  deps: Deps,
  caller: UserCaller,
  { channels, quietHours, version }: BodyOf<typeof putNotificationPreferences>,
): Promise<Preferences> {
  const at = deps.clock.now()
  const { userId } = caller
  await tx(deps.db, async (trx) => {
    const before = (await findNotificationPreferences(trx, userId)) ?? untouched
    const changes = Object.fromEntries(
      channels
        .filter(({ topic, channel }) => (notificationTopics[topic][channel] as string) !== 'always')
        .map(({ topic, channel, on }) => [`${topic}.${channel}`, on]),
    )
    const row = {
      channels: { ...before.channels, ...changes },
      quiet_from: quietHours?.from ?? null,
      quiet_until: quietHours?.until ?? null,
      version,
    }
    if (!(await saveNotificationPreferences(trx, userId, row, at))) throw new AppError('version_conflict')
    const accountId = caller.kind === 'customer' ? caller.accountId : null
    await recordActivity(trx, { action: 'notifications.preferences', accountId, userId, at })
  })
  return readNotificationPreferences(deps, caller)
}

/**
 * Whether a user has switched a mail off. Checked when it is sent, so that a change affects waiting mails. Mails that
 * are not notifications are always on.
 */
export async function isMailOff(db: DbOrTx, userId: string | undefined, kind: string): Promise<boolean> {
  if (userId === undefined) return false
  return !isOn(kind, 'mail', (await findNotificationPreferences(db, userId))?.channels ?? {})
}
