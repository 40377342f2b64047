/** Routes of prices. */
import { priceInsurance, pricePickup, priceServices } from '@waybill/contract/pricing/pricing'
import { quoteForCustomer } from '@waybill/contract/pricing/staff-quotes'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { route } from '../../http/route.ts'
import { coveringStation } from '../stations/network.ts'
import { answerQuote } from './quotes/answer-quote.ts'
import { quoteOnBehalf } from './quotes/quote-for-customer.ts'
import { findPremium, insuredValueError, pickupCost, pricingAccount } from './service.ts'

/** Prices are public; a customer gets the prices of the account, and staff those of any account. */
export function pricingRoutes(app: FastifyInstance, deps: Deps): void {
  const currency = () => deps.settings.get('currency')

  route(app, deps, priceServices, async ({ body, caller }) => {
    const account = caller.kind === 'customer' ? await pricingAccount(deps.db, caller.accountId) : null
    return answerQuote(deps, body, account)
  })

  route(app, deps, priceInsurance, async ({ body }) => {
    const premiumMinor = findPremium(deps, body.insuredValueMinor)
    if (premiumMinor === null) throw insuredValueError(deps)
    return { currency: currency(), insuredValueMinor: body.insuredValueMinor, premiumMinor }
  })

  route(app, deps, pricePickup, async ({ body }) => {
    const covering = await coveringStation(deps.db, body.country, body.postcode)
    const covered = covering?.station.serviceCodes.some((code) => code.endsWith('.pickup')) ?? false
    return { currency: currency(), ...pickupCost(deps, body.parcels), covered }
  })

  route(app, deps, quoteForCustomer, ({ body }) => quoteOnBehalf(deps, body))
}
