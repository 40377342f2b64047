/** Routes of the report of the whole deployment. */
import { exportDeploymentReport, reportDeployment } from '@waybill/contract/reports/staff'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { route } from '../../../http/route.ts'
import { contentDisposition, sheetMediaTypes } from '../../../lib/sheet/write.ts'
import { deploymentSheet } from './documents.ts'
import { readDeploymentReport } from './service.ts'

/** Revenue, volume, service levels and amounts due, over all accounts. */
export function staffReportRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, reportDeployment, ({ query }) => readDeploymentReport(deps, query))
  route(app, deps, exportDeploymentReport, async ({ query, t, reply }) => {
    const { name, file } = await deploymentSheet(deps, query, t)
    reply.type(sheetMediaTypes[query.format]).header('content-disposition', contentDisposition(name))
    return file
  })
}
