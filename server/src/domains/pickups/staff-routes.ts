// HTTP routes of pickup tasks and capacities for staff.
import { taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { staffPickupList } from '@waybill/contract/parcels/staff-prints'
import {
  assignPickup,
  completePickup,
  exportPickupTasks,
  failPickup,
  getPickupTask,
  listPickupTasks,
  listRiders,
  type PickupTask,
  scanPickup,
  startPickup,
} from '@waybill/contract/pickups/rider-tasks'
import { getPickupCapacity, putPickupCapacity } from '@waybill/contract/pickups/windows'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { contentDisposition } from '../../lib/sheet/write.ts'
import { staffPickupListPdf } from './pickup-list/service.ts'
import {
  assignRider,
  completeTask,
  failTask,
  listPickupRiders,
  readPickupTask,
  readPickupTasks,
  scanForPickup,
  startPickupTask,
} from './rider-tasks/service.ts'
import { changeCapacity, getStationCapacity } from './windows/capacity.ts'

/** Riders' pickup tasks, and the capacities of stations. */
export function staffPickupRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listPickupTasks, ({ caller, query }) => readPickupTasks(deps, staff(caller), query))
  pickupSheetRoute(app, deps)
  route(app, deps, getPickupTask, ({ caller, params }) => readPickupTask(deps, staff(caller), params.id))
  route(app, deps, assignPickup, ({ caller, params, body }) => assignRider(deps, staff(caller), params.id, body))
  route(app, deps, startPickup, ({ caller, params, body }) =>
    startPickupTask(deps, staff(caller), params.id, body.version),
  )
  route(app, deps, scanPickup, ({ caller, params, body }) =>
    scanForPickup(deps, staff(caller), params.id, body.trackingNumber),
  )
  route(app, deps, completePickup, ({ caller, params, body }) => completeTask(deps, staff(caller), params.id, body))
  route(app, deps, failPickup, ({ caller, params, body }) => failTask(deps, staff(caller), params.id, body))
  route(app, deps, staffPickupList, async ({ caller, params, locale, t, reply }) => {
    const { file, name } = await staffPickupListPdf(deps, staff(caller), params.id, { locale, t })
    reply.header('content-disposition', contentDisposition(name, 'inline'))
    return file
  })
  route(app, deps, listRiders, ({ caller, query }) => listPickupRiders(deps, staff(caller), query))
  route(app, deps, getPickupCapacity, ({ caller, params }) => getStationCapacity(deps, staff(caller), params.id))
  route(app, deps, putPickupCapacity, ({ caller, params, body }) =>
    changeCapacity(deps, staff(caller), params.id, body),
  )
}

/** Pickup tasks as a spreadsheet. */
function pickupSheetRoute(app: FastifyInstance, deps: Deps): void {
  route(app, deps, exportPickupTasks, async (call) => {
    const { caller, query, locale, t } = call
    return sendListSheet<PickupTask>(deps, call, {
      file: 'pickup-tasks',
      title: 'pickupTasks.title',
      columns: [
        { header: t('pickupsPage.number'), kind: 'text', width: 16, value: ({ number }) => number },
        { header: t('pickupsPage.day'), kind: 'day', value: ({ date }) => date },
        { header: t('pickupsPage.window'), kind: 'text', width: 14, value: ({ window }) => window },
        { header: t('inbox.account'), kind: 'text', width: 28, value: ({ accountName }) => accountName },
        { header: t('fields.contactName'), kind: 'text', width: 24, value: ({ address }) => address.contactName },
        { header: t('fields.phone'), kind: 'text', width: 18, value: ({ address }) => address.phone },
        {
          header: t('fields.address'),
          kind: 'text',
          width: 44,
          value: ({ address: { line1, line2, postcode, city } }) =>
            [line1, line2, `${postcode} ${city}`].filter(Boolean).join(', '),
        },
        { header: t('pickupsPage.parcels'), kind: 'number', width: 10, value: ({ parcelCount }) => parcelCount },
        { header: t('pickupTasks.picked'), kind: 'number', width: 10, value: ({ pickedCount }) => pickedCount },
        { header: t('pickupTasks.rider'), kind: 'text', width: 24, value: ({ riderName }) => riderName },
        {
          header: t('pickupsPage.status'),
          kind: 'text',
          width: 16,
          value: ({ status, cancelledAt }) =>
            cancelledAt ? t('pickupsPage.cancelled') : enumLabel(taskStatusLabels, status, locale),
        },
        {
          header: t('pickupsPage.reason'),
          kind: 'text',
          width: 28,
          value: ({ failureReason }) => failureReason && t(`pickupFailure.${failureReason}`),
        },
      ],
      read: (window) => readPickupTasks(deps, staff(caller), { ...query, ...window, sort: undefined }),
    })
  })
}
