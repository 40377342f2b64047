/** Routes of the settings. */
import {
  getGeneralSettings,
  getOptions,
  getSelector,
  getSettings,
  putSettings,
  settingsHistory,
} from '@waybill/contract/settings/settings'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import type { Selectors } from './selectors.ts'
import {
  generalSettings,
  getAllSettings,
  type LogoChange,
  listChoices,
  listSettingChanges,
  readOptions,
  type SettingCheck,
  type StaffNames,
  writeSettings,
} from './service.ts'

/** Settings that pages need before sign-in. `selectors`: drop-downs of higher domains. */
export function publicSettingsRoutes(app: FastifyInstance, deps: Deps, selectors: Selectors): void {
  route(app, deps, getGeneralSettings, async ({ request, reply }) => {
    const { etag, body } = generalSettings(deps)
    reply.header('etag', etag).header('cache-control', 'public, max-age=60, must-revalidate')
    // The client already has this version.
    if (request.headers['if-none-match'] === etag) reply.status(304).send()
    return body
  })
  route(app, deps, getOptions, async ({ caller }) => readOptions(deps, caller))
  route(app, deps, getSelector, ({ params, query, caller, locale }) =>
    listChoices(deps, selectors, params.name, { caller, locale, query }),
  )
}

/**
 * Reads and writes settings. `findNames` returns names of staff; `changeLogo` links uploads; `checks` refuse values
 * that contradict other data. All come from higher domains.
 */
export function staffSettingsRoutes(
  app: FastifyInstance,
  deps: Deps,
  higher: { findNames: StaffNames; changeLogo: LogoChange; checks: readonly SettingCheck[] },
): void {
  route(app, deps, getSettings, async () => getAllSettings(deps, higher.findNames))
  route(app, deps, putSettings, ({ caller, body, request }) =>
    writeSettings(deps, staff(caller), body, request.ip, higher),
  )
  route(app, deps, settingsHistory, ({ query }) => listSettingChanges(deps, query.key, higher.findNames))
}
