// HTTP routes of bookings at carriers, for staff.
import * as endpoints from '@waybill/contract/carriers/carriers'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { bookingList, carrierList, giveUpBooking, retryBooking } from './service.ts'

/** The list of bookings, and what staff do about those that failed. */
export function staffCarrierRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, endpoints.listCarriers, async ({ locale, t }) => carrierList(deps, { locale, t }))
  route(app, deps, endpoints.listCarrierBookings, ({ query, locale, t }) => bookingList(deps, query, { locale, t }))
  route(app, deps, endpoints.retryCarrierBooking, ({ params, body, caller, locale, t, request }) =>
    retryBooking(deps, { caller: staff(caller), parcelId: params.id, body, ip: request.ip }, { locale, t }),
  )
  route(app, deps, endpoints.cancelCarrierBooking, ({ params, body, caller, locale, t, request }) =>
    giveUpBooking(deps, { caller: staff(caller), parcelId: params.id, body, ip: request.ip }, { locale, t }),
  )
}
