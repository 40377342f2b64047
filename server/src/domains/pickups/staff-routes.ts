// HTTP routes of pickup tasks and capacities for staff.
import { staffPickupList } from '@waybill/contract/parcels/staff-prints'
import {
  assignPickup,
  completePickup,
  failPickup,
  getPickupTask,
  listPickupTasks,
  listRiders,
  scanPickup,
  startPickup,
} from '@waybill/contract/pickups/rider-tasks'
import { getPickupCapacity, putPickupCapacity } from '@waybill/contract/pickups/windows'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { staffPickupListPdf } from './pickup-list/service.ts'
import {
  assignRider,
  completeTask,
  failTask,
  listPickupRiders,
  pickupTask,
  pickupTasks,
  scanForPickup,
  startTask,
} from './rider-tasks/service.ts'
import { changeCapacity, getStationCapacity } from './windows/capacity.ts'

/** Riders' pickup tasks, and the capacities of stations. */
export function staffPickupRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listPickupTasks, ({ caller, query }) => pickupTasks(deps, staff(caller), query))
  route(app, deps, getPickupTask, ({ caller, params }) => pickupTask(deps, staff(caller), params.id))
  route(app, deps, assignPickup, ({ caller, params, body }) => assignRider(deps, staff(caller), params.id, body))
  route(app, deps, startPickup, ({ caller, params, body }) => startTask(deps, staff(caller), params.id, body.version))
  route(app, deps, scanPickup, ({ caller, params, body }) =>
    scanForPickup(deps, staff(caller), params.id, body.trackingNumber),
  )
  route(app, deps, completePickup, ({ caller, params, body }) => completeTask(deps, staff(caller), params.id, body))
  route(app, deps, failPickup, ({ caller, params, body }) => failTask(deps, staff(caller), params.id, body))
  route(app, deps, staffPickupList, async ({ params, locale, t, reply }) => {
    const { file, name } = await staffPickupListPdf(deps, params.id, { locale, t })
    reply.header('content-disposition', `inline; filename="${name}"`)
    return file
  })
  route(app, deps, listRiders, ({ caller, query }) => listPickupRiders(deps, staff(caller), query))
  route(app, deps, getPickupCapacity, ({ caller, params }) => getStationCapacity(deps, staff(caller), params.id))
  route(app, deps, putPickupCapacity, ({ caller, params, body }) =>
    changeCapacity(deps, staff(caller), params.id, body),
  )
}
