/** Routes of notifications, for customers and staff. */
import * as endpoints from '@waybill/contract/notifications/notifications'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { signedIn } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { listOwn, markOwnRead, takeAlerts } from './inbox.ts'
import { changePreferences, readPreferences } from './preferences.ts'

/** Every user reads their own notifications. */
export function notificationRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listNotifications, async ({ caller, query, locale }) =>
    listOwn(deps, signedIn(caller), query, locale),
  )
  route(app, deps, endpoints.readNotifications, async ({ caller, body }) => markOwnRead(deps, signedIn(caller), body))
  route(app, deps, endpoints.notificationAlert, async ({ caller, locale }) =>
    takeAlerts(deps, signedIn(caller), locale),
  )
  route(app, deps, endpoints.getNotificationPreferences, async ({ caller }) => readPreferences(deps, signedIn(caller)))
  route(app, deps, endpoints.putNotificationPreferences, async ({ caller, body }) =>
    changePreferences(deps, signedIn(caller), body),
  )
}
