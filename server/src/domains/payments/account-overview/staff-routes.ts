/** Routes of an account's money, latest orders and parcels, and terms, for staff. */
import {
  getAccountLatest,
  getAccountMoney,
  getAccountTerms,
  setAccountTerms,
} from '@waybill/contract/payments/account-overview'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { readAccountMoney, readLatest } from './service.ts'
import { changeTerms, readTerms } from './terms.ts'

/** Routes of the account page, except its users. */
export function accountOverviewRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, getAccountMoney, async ({ params }) => readAccountMoney(deps, params.id))
  route(app, deps, getAccountLatest, async ({ params }) => readLatest(deps, params.id))
  route(app, deps, getAccountTerms, async ({ caller, params }) => readTerms(deps, staff(caller), params.id))
  route(app, deps, setAccountTerms, async ({ caller, params, body }) =>
    changeTerms(deps, staff(caller), params.id, body),
  )
}
