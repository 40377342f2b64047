import {
  assignDelivery,
  getDeliveryTask,
  listDeliveryTasks,
  listFailedDeliveries,
  startDelivery,
} from '@waybill/contract/deliveries'
import { recentScans, scan, staffParcelByNumber, undoScan } from '@waybill/contract/scans'
import { listDisputes } from '@waybill/contract/weighing'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { assignTask, deliveryTask, deliveryTasks, startTask } from './deliveries.ts'
import { failedDeliveries } from './failed-deliveries.ts'
import { latestScans, parcelForStaff, scanParcel } from './scans.ts'
import { takeBackScan } from './undo.ts'
import { disputes } from './weighing-disputes.ts'

/** The counter, the sorter and the rider. */
export function staffParcelRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, scan, ({ body, caller, idempotency }) => scanParcel(deps, staff(caller), body, idempotency))
  route(app, deps, undoScan, ({ params, caller }) => takeBackScan(deps, staff(caller), params.id))
  route(app, deps, listDeliveryTasks, ({ query, caller }) => deliveryTasks(deps, staff(caller), query))
  route(app, deps, listFailedDeliveries, ({ query, caller }) => failedDeliveries(deps, staff(caller), query))
  route(app, deps, getDeliveryTask, ({ params, caller }) => deliveryTask(deps, staff(caller), params.id))
  route(app, deps, startDelivery, ({ params, body, caller }) => startTask(deps, staff(caller), params.id, body.version))
  route(app, deps, assignDelivery, ({ params, body, caller }) => assignTask(deps, staff(caller), params.id, body))
  route(app, deps, recentScans, ({ query, caller }) => latestScans(deps, staff(caller), query.limit))
  route(app, deps, staffParcelByNumber, ({ params, caller, t }) => parcelForStaff(deps, staff(caller), params.no, t))
  route(app, deps, listDisputes, ({ query }) => disputes(deps, query))
}
