/** Routes of rate cards. */
import {
  createRateCard,
  getRateCard,
  listAccountConditions,
  listRateCards,
  listServices,
  publishRateCard,
  removeRateCard,
  updateCarrierRule,
  updateRateCard,
  updateService,
} from '@waybill/contract/pricing/rate-cards'
import { removeZone } from '@waybill/contract/stations/zones'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { staff } from '../../../http/caller.ts'
import { route } from '../../../http/route.ts'
import { accountsWithConditions, changeCarrierRule, changeService, listOfferedServices } from '../offered.ts'
import {
  deleteUnusedZone,
  draftRateCard,
  publishDraft,
  readRateCard,
  readRateCards,
  removeDraft,
  writeRateCard,
} from './service.ts'

/** Rate cards, services, and conditions of accounts. */
export function staffPricingRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listRateCards, ({ query }) => readRateCards(deps, query))
  route(app, deps, getRateCard, ({ params }) => readRateCard(deps, params.id))
  route(app, deps, createRateCard, ({ caller, body }) => draftRateCard(deps, staff(caller), body))
  route(app, deps, updateRateCard, ({ caller, params, body }) => writeRateCard(deps, staff(caller), params.id, body))
  route(app, deps, publishRateCard, ({ caller, params, body }) => publishDraft(deps, staff(caller), params.id, body))
  route(app, deps, removeRateCard, async ({ caller, params }) => {
    await removeDraft(deps, staff(caller), params.id)
    return { ok: true as const }
  })
  route(app, deps, removeZone, async ({ caller, params }) => {
    await deleteUnusedZone(deps, staff(caller), params.id)
    return { ok: true as const }
  })

  route(app, deps, listServices, () => listOfferedServices(deps))
  route(app, deps, updateService, ({ caller, params, body }) => changeService(deps, staff(caller), params, body))
  route(app, deps, updateCarrierRule, ({ caller, params, body }) =>
    changeCarrierRule(deps, staff(caller), params.carrier, body),
  )
  route(app, deps, listAccountConditions, ({ query }) => accountsWithConditions(deps, query))
}
