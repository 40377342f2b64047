import { recentScans, scan, staffParcelByNumber } from '@waybill/contract/scans'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { latestScans, parcelForStaff, scanParcel } from './scans.ts'

/** The counter, the sorter and the rider. */
export function staffParcelRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, scan, ({ body, caller, idempotency }) => scanParcel(deps, staff(caller), body, idempotency))
  route(app, deps, recentScans, ({ query, caller }) => latestScans(deps, staff(caller), query.limit))
  route(app, deps, staffParcelByNumber, ({ params, caller, t }) => parcelForStaff(deps, staff(caller), params.no, t))
}
