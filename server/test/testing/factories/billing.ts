import { putConsent } from '@waybill/contract/orders/monthly-billing'
import { sql } from 'kysely'
import type { TestApp } from '../app.ts'
import type { TestCustomer } from './accounts.ts'

/** Lets a company use monthly billing: it has a limit and has accepted the terms. */
export async function allowBilling(test: TestApp, owner: TestCustomer, limitMinor = 1_000_000): Promise<void> {
  await sql`update accounts set credit_limit_minor = ${limitMinor}, credit_terms_days = 14
    where id = ${owner.accountId}::uuid`.execute(test.deps.db)
  const body = { version: test.deps.settings.get('billing.termsVersion'), accept: true as const }
  const { status } = await test.call(putConsent, { token: owner.token, body })
  if (status !== 200) throw new Error('the terms were not accepted')
}
