/** Routes of notifications, for customers and staff. */
import { exportNotifications } from '@waybill/contract/notifications/notification-sheet'
import * as endpoints from '@waybill/contract/notifications/notifications'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { signedIn } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { listOwn, markOwnRead, takeAlerts } from './inbox.ts'
import { changeNotificationPreferences, readNotificationPreferences } from './preferences.ts'

/** Every user reads their own notifications. */
export function notificationRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listNotifications, async ({ caller, query, locale }) =>
    listOwn(deps, signedIn(caller), query, locale),
  )
  route(app, deps, exportNotifications, async (call) => {
    const { caller, query, locale, t } = call
    return sendListSheet<endpoints.Notification>(deps, call, {
      file: 'notifications',
      title: 'notifications.title',
      columns: [
        { header: t('notifications.when'), kind: 'time', value: ({ createdAt }) => new Date(createdAt) },
        {
          header: t('notifications.topic'),
          kind: 'text',
          width: 28,
          value: ({ topic }) => t(`notificationTopic.${topic}`),
        },
        { header: t('fields.title'), kind: 'text', width: 44, value: ({ title }) => title },
        { header: t('fields.text'), kind: 'text', width: 80, value: ({ text }) => text },
        { header: t('notifications.readAt'), kind: 'time', value: ({ readAt }) => readAt && new Date(readAt) },
      ],
      read: (window) => listOwn(deps, signedIn(caller), { ...query, ...window, before: undefined }, locale),
    })
  })
  route(app, deps, endpoints.readNotifications, async ({ caller, body }) => markOwnRead(deps, signedIn(caller), body))
  route(app, deps, endpoints.notificationAlert, async ({ caller, locale }) =>
    takeAlerts(deps, signedIn(caller), locale),
  )
  route(app, deps, endpoints.getNotificationPreferences, async ({ caller }) =>
    readNotificationPreferences(deps, signedIn(caller)),
  )
  route(app, deps, endpoints.putNotificationPreferences, async ({ caller, body }) =>
    changeNotificationPreferences(deps, signedIn(caller), body),
  )
}
