/** Delivers notifications through the channels that reach their readers. */
import type { Locale } from '@waybill/contract/ground/constants'
import { findKind } from '@waybill/contract/notifications/kinds'
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { userTopic } from '../../http/live.ts'
import { forEachBatch } from '../../jobs/each-item.ts'
import { addJob } from '../../jobs/jobs.ts'
import { later, minutes, timeIn } from '../../lib/clock.ts'
import { formatFacts } from './facts.ts'
import { pushAttempts } from './push/deliver-to-browser.ts'
import { findSubscriptionIds } from './push/queries.ts'
import {
  findReaders,
  markDelivered,
  type NewNotification,
  type NotificationReader,
  type NotificationRow,
  postpone,
  takeDue,
} from './queries.ts'
import { buildPath, isFixed, isOn, quietMinutesLeft } from './rules.ts'

type Deliverable = Pick<NewNotification, 'id' | 'user_id' | 'kind' | 'subject_id' | 'facts' | 'items'> & {
  read_at?: Date | null
  /** When the code in its mail becomes invalid. */
  expiresAt?: Date | undefined
}

/** Queues mails and push messages, in the transaction of the notifications. */
export async function deliver(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly Deliverable[],
  readers: ReadonlyMap<string, NotificationReader>,
): Promise<void> {
  for (const row of rows) {
    const reader = readers.get(row.user_id)
    // A notification that was already read needs no mail, unless its mail is always sent.
    const isKnown = row.read_at && !isFixed(row.kind, 'mail')
    if (reader && !isKnown && isOn(row.kind, 'mail', reader.channels)) await queueMail(deps, trx, row, reader)
  }
  const pushed = rows.filter((row) => {
    const reader = readers.get(row.user_id)
    return reader && !row.read_at && isOn(row.kind, 'push', reader.channels)
  })
  const subscriptions = await findSubscriptionIds(
    trx,
    pushed.map((row) => row.user_id),
  )
  for (const row of pushed) {
    for (const { id: subscriptionId } of subscriptions.filter(({ user_id }) => user_id === row.user_id)) {
      const payload = { notificationId: row.id, subscriptionId }
      await addJob(trx, 'notifications:push', payload, { maxAttempts: pushAttempts })
    }
  }
}

async function queueMail(deps: Deps, trx: DbOrTx, row: Deliverable, reader: NotificationReader): Promise<void> {
  const locale = reader.language as Locale
  const path = buildPath({ kind: row.kind, subjectId: row.subject_id, items: row.items }, reader.kind)
  await addJob(trx, 'mail:send', {
    to: reader.email,
    userId: reader.id,
    template: row.kind,
    locale,
    vars: {
      name: reader.name,
      count: row.items,
      ...(path === null ? {} : { url: `${deps.config.http.publicUrl}${path}` }),
      ...formatFacts(deps, row.facts, locale),
    },
    expiresAt: row.expiresAt?.toISOString(),
  })
}

/** Notifies the open screens of users that their notifications have changed. */
export async function announce(deps: Deps, trx: DbOrTx, userIds: readonly string[]): Promise<void> {
  await deps.live.publishAll(
    trx,
    [...new Set(userIds)].map((id) => ({ topic: userTopic(id), data: { type: 'notification' } })),
  )
}

const batch = 200

/**
 * The job `notifications:deliver`: delivers notifications that waited for further ones, or for the end of quiet hours.
 */
export async function deliverNotifications(deps: Deps): Promise<void> {
  await forEachBatch(
    deps.db,
    batch,
    (trx, limit, except) => takeDue(trx, deps.clock.now(), limit, except),
    (trx, rows) => deliverOrPostpone(deps, trx, rows),
  )
}

async function deliverOrPostpone(deps: Deps, trx: DbOrTx, rows: readonly NotificationRow[]): Promise<void> {
  const at = deps.clock.now()
  const readers = new Map(
    (await findReaders(trx, [...new Set(rows.map((row) => row.user_id))])).map((reader) => [reader.id, reader]),
  )
  const due: NotificationRow[] = []
  const time = timeIn(at, deps.settings.get('timezone'))
  for (const row of rows) {
    const reader = readers.get(row.user_id)
    // The user may have changed the quiet hours meanwhile.
    const quiet = reader && !findKind(row.kind)?.urgent ? quietMinutesLeft(time, reader) : 0
    if (quiet > 0) await postpone(trx, row.id, later(at, minutes(quiet)))
    else due.push(row)
  }
  await markDelivered(
    trx,
    due.map(({ id }) => id),
    at,
  )
  await deliver(deps, trx, due, readers)
  await announce(
    deps,
    trx,
    due.map((row) => row.user_id),
  )
}
