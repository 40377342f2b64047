/** Reads and changes pricing and credit terms of an account together. */
import { decide } from '@waybill/contract/ground/access'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { DiscountType, UserType } from '@waybill/contract/ground/enums/enums'
import type { AccountTerms, setAccountTerms } from '@waybill/contract/payments/account-overview'
import { type Activity, recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, authorize, type StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { saveTerms } from '../../accounts/company/conditions.ts'
import { requireAccount } from '../../accounts/directory/service.ts'
import type { AccountRow } from '../../accounts/queries.ts'
import { lockAccount } from '../../accounts/service.ts'
import { listRateCardCodes } from '../../pricing/offered.ts'

type Change = BodyOf<typeof setAccountTerms>

const getPricing = (account: AccountRow) => ({
  rateCardCode: account.rate_card_code,
  discount:
    account.discount_type === null
      ? null
      : { type: account.discount_type as DiscountType, value: account.discount_value },
})

/** The terms of an account, and which of them the caller may change. Throws not_found. */
export async function readTerms(deps: Deps, caller: StaffCaller, id: string): Promise<AccountTerms> {
  const account = await requireAccount(deps, id)
  const pricing = getPricing(account)
  const cards = new Set(await listRateCardCodes(deps.db))
  if (pricing.rateCardCode !== null) cards.add(pricing.rateCardCode)
  return {
    id: account.id,
    name: account.name,
    userType: account.user_type as UserType,
    currency: deps.settings.get('currency'),
    pricing: { ...pricing, cards: [...cards].sort(), editable: decide('staff.rates', caller) === 'pass' },
    credit:
      account.user_type === 'corporate'
        ? {
            limitMinor: account.credit_limit_minor,
            termsDays: account.credit_terms_days,
            consentVersion: account.consent_version,
            consentAt: account.consent_at?.toISOString() ?? null,
            editable: decide('staff.finance', caller) === 'pass',
          }
        : null,
    version: account.version,
  }
}

/**
 * Changes the given parts together. Existing statements keep their due days. Throws forbidden for a part that the
 * caller may not change, not_found (also for credit of an individual), version_conflict, 422 for a card without a
 * published version.
 */
export async function changeTerms(deps: Deps, caller: StaffCaller, id: string, change: Change): Promise<AccountTerms> {
  if (change.pricing) authorize('staff.rates', caller)
  if (change.credit) authorize('staff.finance', caller)
  // Pricing needs the right to rates, so a call without any permitted part would change only the version.
  if (!change.pricing && !change.credit) throw validationError({ field: 'pricing', rule: 'required' })
  await tx(deps.db, async (trx) => {
    // Safe: staff may change the terms of every account.
    const before = await lockAccount(trx, asAccountId(id))
    if (!before || (change.credit && before.user_type !== 'corporate')) throw new AppError('not_found')
    if (change.pricing) await requirePublishedCard(trx, before, change.pricing.rateCardCode)
    const at = deps.clock.now()
    if (!(await saveTerms(trx, id, change.version, change, at)))
      throw new AppError('version_conflict', { details: { version: before.version } })
    await recordActivity(trx, ...listActivities(caller, before, change, at))
  })
  return readTerms(deps, caller, id)
}

async function requirePublishedCard(trx: Tx, before: AccountRow, code: string | null): Promise<void> {
  if (code === null || code === before.rate_card_code) return
  if (!(await listRateCardCodes(trx)).includes(code))
    throw validationError({ field: 'pricing.rateCardCode', rule: 'cardUnknown' })
}

function listActivities(caller: StaffCaller, before: AccountRow, { pricing, credit }: Change, at: Date): Activity[] {
  const common = { accountId: before.id, userId: caller.userId, subject: before.id, at }
  const activities: Activity[] = []
  if (pricing)
    activities.push({
      ...common,
      action: 'rates.account',
      level: 'NOTICE',
      detail: { from: getPricing(before), to: pricing },
    })
  if (credit)
    activities.push({
      ...common,
      action: 'billing.terms',
      detail: {
        limitMinor: [before.credit_limit_minor, credit.limitMinor],
        termsDays: [before.credit_terms_days, credit.termsDays],
      },
    })
  return activities
}
