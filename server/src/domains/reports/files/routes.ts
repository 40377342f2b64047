/** Routes of reports as files. */
import {
  createReportFile,
  createStaffReportFile,
  downloadReportFile,
  downloadStaffReportFile,
  getReportFile,
  getStaffReportFile,
  listReportFiles,
  listStaffReportFiles,
  removeReportFile,
  removeStaffReportFile,
  retryReportFile,
  retryStaffReportFile,
} from '@waybill/contract/reports/files'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer, staff, type UserCaller } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { contentDisposition, sheetMediaTypes } from '../../../lib/sheet/write.ts'
import {
  createDeploymentReportFile,
  createOrderReportFile,
  listOwnReportFiles,
  openReportFile,
  readReportFile,
  removeOwnReportFile,
  restartReportFile,
} from './service.ts'

const media = { ...sheetMediaTypes, pdf: 'application/pdf' }

/** Files of the report of orders, for customers, and of the report of all accounts, for staff. */
export function reportFileRoutes(app: FastifyInstance, deps: Deps): void {
  const send = async (caller: UserCaller, id: string, reply: FastifyReply) => {
    const { name, bytes, format, file } = await openReportFile(deps, caller, id)
    reply.type(media[format]).header('content-disposition', contentDisposition(name)).header('content-length', bytes)
    return file
  }
  route(app, deps, createReportFile, ({ body, caller, locale }) =>
    createOrderReportFile(deps, customer(caller), body, locale),
  )
  route(app, deps, listReportFiles, ({ query, caller }) => listOwnReportFiles(deps, customer(caller), query))
  route(app, deps, removeReportFile, ({ params, caller }) => removeOwnReportFile(deps, customer(caller), params.id))
  route(app, deps, getReportFile, ({ params, caller }) => readReportFile(deps, customer(caller), params.id))
  route(app, deps, retryReportFile, ({ params, caller }) => restartReportFile(deps, customer(caller), params.id))
  route(app, deps, downloadReportFile, ({ params, caller, reply }) => send(customer(caller), params.id, reply))
  route(app, deps, createStaffReportFile, ({ body, caller, locale }) =>
    createDeploymentReportFile(deps, staff(caller), body, locale),
  )
  route(app, deps, listStaffReportFiles, ({ query, caller }) => listOwnReportFiles(deps, staff(caller), query))
  route(app, deps, removeStaffReportFile, ({ params, caller }) => removeOwnReportFile(deps, staff(caller), params.id))
  route(app, deps, getStaffReportFile, ({ params, caller }) => readReportFile(deps, staff(caller), params.id))
  route(app, deps, retryStaffReportFile, ({ params, caller }) => restartReportFile(deps, staff(caller), params.id))
  route(app, deps, downloadStaffReportFile, ({ params, caller, reply }) => send(staff(caller), params.id, reply))
}
