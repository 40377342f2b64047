import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { contractEndpoints } from '../testing/contract.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'
import { findCounter } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'

const isDay = (schema: z.core.$ZodType | undefined) =>
  schema !== undefined && z.safeParse(schema, '2026-03-01').success && !z.safeParse(schema, '50480').success

/** Calls whose query is a period of days. */
const endpoints = (await contractEndpoints()).filter(
  ({ query }) => query instanceof z.ZodMiniObject && isDay(query.shape.from) && isDay(query.shape.to),
)

describe('periods of lists, their spreadsheets and reports', () => {
  let test: TestApp
  const tokens: string[] = []
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const { counter } = await findCounter(test)
    const owner = await createCustomer(test, { userType: 'corporate' })
    const boss = await createStaff(test, { type: 'superadmin', role: null })
    tokens.push(owner.token, counter.token, boss.token)
  })

  /** For each caller, the status or the refused fields. */
  const request = async (endpoint: EndpointShape, query: { from: string; to: string }) => {
    const responses = await Promise.all(tokens.map((token) => test.call(endpoint, { token, query: query as never })))
    return responses.map(({ status, error }) => (status === 422 ? error.errors?.map(({ field }) => field) : status))
  }

  it('are found in the contract', () => {
    expect(endpoints.length).toBeGreaterThanOrEqual(22)
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async (_, endpoint) => {
    expect(await request(endpoint, { from: '2026-03-01', to: '2026-03-01' })).toContain(200)
    expect(await request(endpoint, { from: '2026-03-02', to: '2026-03-01' })).toContainEqual(['to'])
  })
})
