/** Route of the report of service levels. */
import { reportServiceLevels } from '@waybill/contract/reports/service-levels'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { readServiceReport } from './service.ts'

/** Promised and actual delivery times, for customers. */
export function serviceReportRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, reportServiceLevels, ({ caller, query }) => readServiceReport(deps, customer(caller), query))
}
