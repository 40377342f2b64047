// HTTP routes of parcels for staff: scans, delivery tasks, failed deliveries, weight disputes.
import {
  assignDelivery,
  getDeliveryTask,
  listDeliveryTasks,
  listFailedDeliveries,
  startDelivery,
} from '@waybill/contract/parcels/rider-tasks'
import { recentScans, scan, staffParcelByNumber, undoScan } from '@waybill/contract/parcels/scanning'
import { listDisputes } from '@waybill/contract/parcels/weighing'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { failedDeliveries } from './failed-delivery/failed-deliveries.ts'
import { assignTask, deliveryTask, deliveryTasks, startTask } from './scanning/rider-tasks.ts'
import { latestScans, parcelForStaff, scanParcel } from './scanning/service.ts'
import { revertScan } from './scanning/undo.ts'
import { readDisputes } from './weighing/disputes.ts'

/** Parcels at stations and with riders. */
export function staffParcelRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, scan, ({ body, caller, idempotency }) => scanParcel(deps, staff(caller), body, idempotency), {
    provenByWrite: true,
  })
  route(app, deps, undoScan, ({ params, caller }) => revertScan(deps, staff(caller), params.id))
  route(app, deps, listDeliveryTasks, ({ query, caller }) => deliveryTasks(deps, staff(caller), query))
  route(app, deps, listFailedDeliveries, ({ query, caller }) => failedDeliveries(deps, staff(caller), query))
  route(app, deps, getDeliveryTask, ({ params, caller }) => deliveryTask(deps, staff(caller), params.id))
  route(app, deps, startDelivery, ({ params, body, caller }) => startTask(deps, staff(caller), params.id, body.version))
  route(app, deps, assignDelivery, ({ params, body, caller }) => assignTask(deps, staff(caller), params.id, body))
  route(app, deps, recentScans, ({ query, caller }) => latestScans(deps, staff(caller), query.limit))
  route(app, deps, staffParcelByNumber, ({ params, caller, t }) => parcelForStaff(deps, staff(caller), params.no, t))
  route(app, deps, listDisputes, ({ query }) => readDisputes(deps, query))
}
