// Routes of carrier bookings, for staff.
import * as endpoints from '@waybill/contract/carriers/carriers'
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { bookingList, carrierList, giveUpBooking, retryBooking } from './service.ts'

/** The list of bookings, and staff actions on failed ones. */
export function staffCarrierRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listCarriers, async ({ locale, t }) => carrierList(deps, { locale, t }))
  route(app, deps, endpoints.listCarrierBookings, ({ query, locale, t }) => bookingList(deps, query, { locale, t }))
  route(app, deps, endpoints.exportCarrierBookings, async (call) => {
    const { query, locale, t } = call
    return sendListSheet<endpoints.StaffBooking>(deps, call, {
      file: 'carrier-bookings',
      title: 'staffCarriers.title',
      columns: [
        { header: t('fields.trackingNumber'), kind: 'text', width: 18, value: ({ trackingNumber }) => trackingNumber },
        {
          header: t('staffCarriers.carrier'),
          kind: 'text',
          width: 18,
          value: ({ carrier }) => enumLabel(carrierLabels, carrier, locale),
        },
        {
          header: t('staffCarriers.carrierNumber'),
          kind: 'text',
          width: 20,
          value: ({ carrierNumber }) => carrierNumber,
        },
        {
          header: t('staffCarriers.state'),
          kind: 'text',
          width: 16,
          value: ({ state }) => t(`staffCarriers.states.${state}`),
        },
        { header: t('staffCarriers.problem'), kind: 'text', width: 40, value: ({ lastError }) => lastError },
        { header: t('staffCarriers.attempts'), kind: 'number', value: ({ attempts }) => attempts },
        {
          header: t('staffCarriers.nextTry'),
          kind: 'time',
          value: ({ nextTryAt }) => nextTryAt && new Date(nextTryAt),
        },
        { header: t('staffCarriers.updated'), kind: 'time', value: ({ updatedAt }) => new Date(updatedAt) },
      ],
      read: (window) => bookingList(deps, { ...query, ...window, sort: '-updatedAt' }, { locale, t }),
    })
  })
  route(app, deps, endpoints.retryCarrierBooking, ({ params, body, caller, locale, t, request }) =>
    retryBooking(deps, { caller: staff(caller), parcelId: params.id, body, ip: request.ip }, { locale, t }),
  )
  route(app, deps, endpoints.cancelCarrierBooking, ({ params, body, caller, locale, t, request }) =>
    giveUpBooking(deps, { caller: staff(caller), parcelId: params.id, body, ip: request.ip }, { locale, t }),
  )
}
