import { type ApiScope, apiScopeLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import type { Insertable } from 'kysely'
import type { ApiKeys } from '../../../src/db/schema.ts'
import { randomToken, sha256 } from '../../../src/lib/crypto.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { TestApp } from '../app.ts'

export const everyScope = labelValues(apiScopeLabels)

/** Creates an API key of an account directly, because the call would need the wallet PIN. */
export async function createApiKey(
  test: TestApp,
  { accountId, userId }: { accountId: string; userId: string },
  scopes: readonly ApiScope[],
  columns: Partial<Insertable<ApiKeys>> = {},
): Promise<{ id: string; secret: string }> {
  const id = newId()
  const secret = `wb_${randomToken()}`
  await test.deps.db
    .insertInto('api_keys')
    .values({
      id,
      account_id: accountId,
      name: `Key ${scopes.join(', ')}`,
      prefix: secret.slice(0, 9),
      secret_hash: sha256(secret),
      scopes: [...scopes],
      daily_limit_minor: scopes.includes('payments') ? 100_000 : null,
      created_by: userId,
      created_at: test.clock.now(),
      ...columns,
    })
    .execute()
  return { id, secret }
}
