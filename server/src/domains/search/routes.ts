/** Routes of the search box. */
import { maxFoundParcels, searchAll, searchAllForStaff, searchParcelsForStaff } from '@waybill/contract/search/search'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { customer, staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { findParcelsForStaff } from './parcels-for-staff.ts'
import { searchForCustomer, searchForStaff } from './service.ts'

/** The search of customers. */
export function searchRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, searchAll, async ({ caller, query, locale }) => ({
    items: await searchForCustomer(deps, customer(caller), query.q, locale),
  }))
}

/** The search of staff. */
export function staffSearchRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, searchAllForStaff, async ({ caller, query, locale }) => ({
    items: await searchForStaff(deps, staff(caller), query.q, locale),
  }))
  route(app, deps, searchParcelsForStaff, ({ caller, query }) =>
    findParcelsForStaff(deps, staff(caller), query.q, { limit: maxFoundParcels, stationId: query.stationId ?? null }),
  )
}
