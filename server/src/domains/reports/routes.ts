/** All routes of reports. */
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { reportFileRoutes } from './files/routes.ts'
import { orderReportRoutes } from './orders/routes.ts'
import { serviceReportRoutes } from './service-levels/routes.ts'
import { staffReportRoutes } from './staff/routes.ts'

/** The reports of customers and of staff: on screen, streamed, and as files. */
export function reportRoutes(app: FastifyInstance, deps: Deps): void {
  orderReportRoutes(app, deps)
  serviceReportRoutes(app, deps)
  staffReportRoutes(app, deps)
  reportFileRoutes(app, deps)
}
