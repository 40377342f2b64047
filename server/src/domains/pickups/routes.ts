// HTTP routes of pickups for customers.
import { taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { pickupList } from '@waybill/contract/parcels/labels'
import {
  bookPickup,
  cancelPickup,
  exportPickupRequests,
  getPickupRequest,
  listPickupRequests,
  type PickupRequest,
  reschedulePickup,
  waitingParcels,
} from '@waybill/contract/pickups/pickups'
import { pickupSlots } from '@waybill/contract/pickups/slots'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { contentDisposition } from '../../lib/sheet/write.ts'
import { getPickupList, printPickupList } from './pickup-list/service.ts'
import {
  bookForParcels,
  cancelPickupRequest,
  getPickup,
  listParcelsToBook,
  moveToSlot,
  readPickups,
} from './requests.ts'
import { listSlots } from './windows/slots.ts'

/** The customer's pickups. */
export function pickupRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listPickupRequests, ({ caller, query }) => readPickups(deps, customer(caller), query))
  route(app, deps, exportPickupRequests, async (call) => {
    const { caller, query, locale, t } = call
    return sendListSheet<PickupRequest>(deps, call, {
      file: 'pickups',
      title: 'pickupsPage.title',
      columns: [
        { header: t('pickupsPage.number'), kind: 'text', width: 16, value: ({ number }) => number },
        { header: t('pickupsPage.day'), kind: 'day', value: ({ date }) => date },
        { header: t('pickupsPage.window'), kind: 'text', width: 14, value: ({ window }) => window },
        { header: t('fields.contactName'), kind: 'text', width: 24, value: ({ address }) => address.contactName },
        { header: t('fields.line1'), kind: 'text', width: 30, value: ({ address }) => address.line1 },
        { header: t('fields.postcode'), kind: 'text', width: 10, value: ({ address }) => address.postcode },
        { header: t('fields.city'), kind: 'text', width: 18, value: ({ address }) => address.city },
        { header: t('pickupsPage.parcels'), kind: 'number', width: 10, value: ({ parcelCount }) => parcelCount },
        {
          header: t('pickupsPage.status'),
          kind: 'text',
          width: 16,
          value: ({ status, cancelledAt }) =>
            cancelledAt ? t('pickupsPage.cancelled') : enumLabel(taskStatusLabels, status, locale),
        },
      ],
      read: (window) => readPickups(deps, customer(caller), { ...query, ...window, sort: '-date' }),
    })
  })
  route(app, deps, waitingParcels, ({ caller }) => listParcelsToBook(deps, customer(caller)))
  route(app, deps, pickupSlots, ({ query, caller }) => listSlots(deps, customer(caller).accountId, query))
  route(app, deps, bookPickup, ({ caller, body, idempotency }) =>
    bookForParcels(deps, customer(caller), body, idempotency),
  )
  route(app, deps, getPickupRequest, ({ caller, params }) => getPickup(deps, customer(caller), params.id))
  route(app, deps, reschedulePickup, ({ caller, params, body }) => moveToSlot(deps, customer(caller), params.id, body))
  route(app, deps, cancelPickup, ({ caller, params, body }) =>
    cancelPickupRequest(deps, customer(caller), params.id, body.version),
  )
  route(app, deps, pickupList, async ({ caller, query, locale, t, reply }) => {
    if (query.format === 'json') {
      reply.type('application/json; charset=utf-8')
      return JSON.stringify(await getPickupList(deps, customer(caller), query))
    }
    reply.header('content-disposition', contentDisposition('pickup-list.pdf', 'inline'))
    return printPickupList(deps, customer(caller), query, { locale, t })
  })
}
