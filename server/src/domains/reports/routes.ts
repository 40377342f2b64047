/** Routes of reports. */
import { getDashboard } from '@waybill/contract/reports/dashboard'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { readDashboard } from './service.ts'

/** The dashboard of an account. */
export function reportRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getDashboard, ({ caller }) => readDashboard(deps, customer(caller)))
}
