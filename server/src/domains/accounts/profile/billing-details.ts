/** The buyer on an account's invoices. */
import type { BillingDetails, putBillingDetails } from '@waybill/contract/accounts/billing-details'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { updateBillingDetails } from '../company/queries-corporate.ts'
import { type AccountRow, findAccount } from '../queries.ts'

/** The buyer on the account's invoices. */
export async function readBillingDetails(deps: Deps, accountId: AccountId): Promise<BillingDetails> {
  const account = await findAccount(deps.db, accountId)
  if (!account) throw new AppError('session_expired')
  return present(account)
}

function present(row: AccountRow): BillingDetails {
  return {
    name: row.name,
    registrationNumber: row.registration_number,
    taxNumber: row.tax_number,
    address: row.billing_address,
    version: row.version,
  }
}

/** Changes the buyer of future orders; existing orders keep theirs. Throws version_conflict. */
export async function changeBillingDetails(
  deps: Deps,
  { accountId, userId }: CustomerCaller,
  body: BodyOf<typeof putBillingDetails>,
): Promise<BillingDetails> {
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    if (!(await updateBillingDetails(trx, accountId, body, at))) throw new AppError('version_conflict')
    await recordActivity(trx, { action: 'account.billing_details', accountId, userId, at })
  })
  return readBillingDetails(deps, accountId)
}
