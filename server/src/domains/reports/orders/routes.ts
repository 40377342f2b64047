/** Routes of the report of orders. */
import { exportOrderReport, printOrderReport, reportOrders } from '@waybill/contract/reports/orders'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { customer } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { contentDisposition, sheetMediaTypes } from '../../../lib/sheet/write.ts'
import { orderReportPdf, orderReportSheet } from './documents.ts'
import { readOrderReport, reportReader } from './service.ts'

/** The report of orders: on screen, as PDF and as a spreadsheet. */
export function orderReportRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, reportOrders, async ({ caller, query }) => readOrderReport(deps, customer(caller), query))
  route(app, deps, printOrderReport, async ({ caller, query, locale, t, reply }) => {
    const { name, file } = await orderReportPdf(deps, reportReader(customer(caller)), query, { locale, t })
    reply.header('content-disposition', contentDisposition(name))
    return file
  })
  route(app, deps, exportOrderReport, async ({ caller, query, locale, t, reply }) => {
    const { name, file } = await orderReportSheet(deps, reportReader(customer(caller)), query, { locale, t })
    reply.type(sheetMediaTypes[query.format]).header('content-disposition', contentDisposition(name))
    return file
  })
}
