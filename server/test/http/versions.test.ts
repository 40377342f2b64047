import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, fillPath, type TestApp } from '../testing/app.ts'
import { contractEndpoints } from '../testing/contract.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'

/** The largest `integer` of PostgreSQL: a version that has no next one. */
const lastVersion = 2_147_483_647

type Fields = Record<string, { safeParse(value: unknown): { success: boolean } }>

/** Whether a change sends back the number of the version that it was made from. */
function takesVersion({ body }: EndpointShape) {
  const version = (body as { shape?: Fields } | undefined)?.shape?.version
  return version?.safeParse(1).success === true
}

describe('the version of a change', () => {
  let test: TestApp
  let tokens: { customer: string; staff: string }
  beforeAll(async () => {
    test = await buildTestApp()
    const owner = await createCustomer(test, { userType: 'corporate' })
    tokens = { customer: owner.token, staff: (await createStaff(test, { type: 'superadmin' })).token }
  })

  it('is refused if there can be no next one, and not an error of the database', async () => {
    const changes = (await contractEndpoints()).filter(takesVersion)
    expect(changes.length).toBeGreaterThan(20)
    const values = { id: newId(), x: '50000', scope: 'domestic', carrier: 'own', serviceType: 'document' }
    for (const change of changes) {
      const token = change.access.startsWith('staff') ? tokens.staff : tokens.customer
      const answer = await test.app.inject({
        method: change.method,
        url: fillPath(change, values),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        payload: JSON.stringify({ version: lastVersion }),
      })
      expect(answer.statusCode, change.id).toBe(422)
      const fields = answer.json().errors.map(({ field }: { field: string }) => field)
      expect(fields, change.id).toContain('version')
    }
  })
})
