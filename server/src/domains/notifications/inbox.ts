/** The caller's notifications: the list, the unread count, and what to pop up. */

import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { countLimit } from '@waybill/contract/ground/paging'
import { notificationKindNames, notificationKinds } from '@waybill/contract/notifications/kinds'
import type {
  listNotifications,
  notificationAlert,
  readNotifications,
} from '@waybill/contract/notifications/notifications'
import { readKeysetPage } from '../../db/keyset.ts'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { UserCaller } from '../../http/caller.ts'
import { hours, later } from '../../lib/clock.ts'
import { announce } from './deliver.ts'
import { presentNotifications } from './present.ts'
import {
  countNotifications,
  findNotificationPreferences,
  listNotificationRows,
  markNotificationsRead,
  takePopups,
} from './queries-inbox.ts'
import { kindsOn } from './rules.ts'

/** The bell shows 99+ for more than this. */
const maxUnread = 100
/** More at once would cover the page; the list has all of them. */
const maxPopups = 3
const popupHours = 1

const countUnread = (deps: Deps, userId: string) =>
  countNotifications(deps.db, { userId, unread: true, kinds: null }, maxUnread)

/** A page of the caller's notifications, newest first. */
export async function listOwn(
  deps: Deps,
  caller: UserCaller,
  { unread, topic, ...page }: QueryOf<typeof listNotifications>,
  locale: Locale,
): Promise<ResponseOf<typeof listNotifications>> {
  const kinds = topic ? notificationKindNames.filter((kind) => notificationKinds[kind].topic === topic) : null
  const filter = { userId: caller.userId, unread: unread === 'true', kinds }
  const [{ rows, next, previous }, total, unreadCount] = await Promise.all([
    readKeysetPage(page, (from) => listNotificationRows(deps.db, filter, from)),
    countNotifications(deps.db, filter, countLimit),
    countUnread(deps, caller.userId),
  ])
  const items = presentNotifications(deps, rows, { kind: caller.kind, locale })
  return { items, total, limit: page.limit, next, previous, unread: unreadCount }
}

/** Marks notifications of the caller as read. The caller's other tabs and devices get a live event. */
export async function markOwnRead(
  deps: Deps,
  caller: UserCaller,
  body: BodyOf<typeof readNotifications>,
): Promise<ResponseOf<typeof readNotifications>> {
  await tx(deps.db, async (trx) => {
    const count = await markNotificationsRead(trx, caller.userId, 'ids' in body ? body.ids : null, deps.clock.now())
    if (count > 0) await announce(deps, trx, [caller.userId])
  })
  return { unread: await countUnread(deps, caller.userId) }
}

/** Notifications that this device should pop up now. Further calls of the same session do not return them again. */
export async function takeAlerts(
  deps: Deps,
  caller: UserCaller,
  locale: Locale,
): Promise<ResponseOf<typeof notificationAlert>> {
  const { userId, sessionId } = caller
  const choices = (await findNotificationPreferences(deps.db, userId))?.channels ?? {}
  const since = later(deps.clock.now(), -hours(popupHours))
  const kinds = kindsOn('popup', choices)
  const rows = await takePopups(deps.db, { userId, sessionId, kinds, since, limit: maxPopups })
  const alerts = presentNotifications(deps, rows, { kind: caller.kind, locale })
  return { alerts, unread: await countUnread(deps, userId) }
}
