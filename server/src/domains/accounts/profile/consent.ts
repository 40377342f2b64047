/** A company's consent to the credit terms. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { CreditConsent, putConsent } from '@waybill/contract/orders/monthly-billing'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { saveConsent } from '../company/queries-corporate.ts'
import { type AccountRow, findAccount, findUser } from '../queries.ts'

/** The current credit terms, and whether the company accepted these or older ones. */
export async function readConsent(deps: Deps, caller: CustomerCaller): Promise<CreditConsent> {
  const account = await findAccount(deps.db, caller.accountId)
  const version = deps.settings.get('billing.termsVersion')
  if (!account?.consent_version || !account.consent_at) return { version, accepted: null }
  const by = account.consent_by ? await findUser(deps.db, account.consent_by) : undefined
  const at = account.consent_at.toISOString()
  return { version, accepted: { version: account.consent_version, at, by: by?.name ?? null } }
}

/** Accepts the terms. Throws version_conflict if they changed since they were read. */
export async function acceptTerms(
  deps: Deps,
  caller: CustomerCaller,
  { version }: BodyOf<typeof putConsent>,
  ip: string | null,
): Promise<CreditConsent> {
  if (version !== deps.settings.get('billing.termsVersion')) throw new AppError('version_conflict')
  const { accountId, userId } = caller
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    await saveConsent(trx, accountId, { version, by: userId, ip, at })
    const detail = { version }
    await recordActivity(trx, { action: 'corporate.consent', accountId, userId, ip, detail, at })
  })
  return readConsent(deps, caller)
}

/** Whether a company has accepted the current terms. */
export function hasConsented({ settings }: Deps, account: Pick<AccountRow, 'consent_version'>): boolean {
  return account.consent_version === settings.get('billing.termsVersion')
}
