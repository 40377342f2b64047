/** Quotes of the sales staff. */
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { quoteForCustomer } from '@waybill/contract/pricing/staff-quotes'
import type { Deps } from '../../../deps.ts'
import { asAccountId } from '../../../http/caller.ts'
import { validationError } from '../../../http/errors.ts'
import { findAccountByEmail } from '../../accounts/service.ts'
import { pricingAccount, quoteServices, quotesWithPickup } from '../service.ts'

/**
 * All services for a parcel, as the customer with this email address would see them, or as a visitor would. Throws
 * validation on `customerEmail` if no account has it, and the errors of a quote.
 */
export async function quoteOnBehalf(
  deps: Deps,
  { customerEmail, serviceType, carrier, ...request }: BodyOf<typeof quoteForCustomer>,
): Promise<ResponseOf<typeof quoteForCustomer>> {
  const account = customerEmail === null ? undefined : await findAccountByEmail(deps.db, customerEmail)
  if (customerEmail !== null && !account) throw validationError({ field: 'customerEmail', rule: 'customerUnknown' })
  // Safe: the access table admits only staff who serve every account.
  const conditions = account ? await pricingAccount(deps.db, asAccountId(account.id)) : null
  const quotes = await quoteServices(deps, request, conditions, serviceType, carrier)
  const hasOwnPrices = conditions !== null && (conditions.rateCardCode !== null || conditions.discount !== null)
  return {
    account: account ? { id: account.id, name: account.name, hasOwnPrices } : null,
    items: quotesWithPickup(deps, quotes),
  }
}
