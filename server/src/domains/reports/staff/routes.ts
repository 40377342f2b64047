/** Route of the report of the whole deployment. */
import { reportDeployment } from '@waybill/contract/reports/staff'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { route } from '../../../http/route.ts'
import { readDeploymentReport } from './service.ts'

/** Revenue, volume, service levels and money that is due, over all accounts. */
export function staffReportRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, reportDeployment, ({ query }) => readDeploymentReport(deps, query))
}
