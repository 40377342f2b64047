/** Routes of the activity log. */

import { staffAccountActivity } from '@waybill/contract/logs/account-activity'
import { exportLogs, listLogActions, listLogs } from '@waybill/contract/logs/logs'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { route } from '../../http/route.ts'
import { contentDisposition, sheetMediaTypes } from '../../lib/sheet/write.ts'
import { readActivityForStaff } from './account-activity.ts'
import { logsSheet, readLogActions, readLogs } from './service.ts'

/** The same path for customers and staff, as in the specification; each sees their own part. */
export function logRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listLogs, ({ caller, query }) => readLogs(deps, caller, query))
  route(app, deps, listLogActions, ({ caller }) => readLogActions(deps, caller))
  route(app, deps, staffAccountActivity, ({ params, query }) => readActivityForStaff(deps, params.id, query))
  route(app, deps, exportLogs, async ({ caller, query, locale, t, reply }) => {
    const { name, sheet } = logsSheet(deps, caller, query, { locale, t })
    reply.type(sheetMediaTypes[query.format]).header('content-disposition', contentDisposition(name))
    return sheet
  })
}
