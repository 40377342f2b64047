/** Routes of the dashboard. */
import { addWidget, getDashboard, getWidget, removeWidget, updateWidget } from '@waybill/contract/dashboard/dashboard'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { addOwnWidget, changeOwnWidget, removeOwnWidget } from './arrangement.ts'
import { readDashboard, readWidget } from './service.ts'

/** The home page of a user, and its widgets. */
export function dashboardRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getDashboard, ({ caller, locale }) => readDashboard(deps, customer(caller), locale))
  route(app, deps, getWidget, ({ caller, locale, params }) => readWidget(deps, customer(caller), locale, params.id))
  route(app, deps, addWidget, async ({ caller, locale, body }) => {
    const id = await addOwnWidget(deps, customer(caller), body)
    return readWidget(deps, customer(caller), locale, id)
  })
  route(app, deps, updateWidget, async ({ caller, locale, params, body }) => {
    await changeOwnWidget(deps, customer(caller), params.id, body)
    return readWidget(deps, customer(caller), locale, params.id)
  })
  route(app, deps, removeWidget, async ({ caller, params }) => {
    await removeOwnWidget(deps, customer(caller), params.id)
    return { ok: true } as const
  })
}
