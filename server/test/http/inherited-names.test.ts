import type { EndpointShape, Schema } from '@waybill/contract/ground/endpoint'
import { lookup } from '@waybill/contract/ground/enums/labels'
import { publicStations } from '@waybill/contract/stations/stations'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, fillPath, type TestApp } from '../testing/app.ts'
import { contractEndpoints } from '../testing/contract.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'

/** Names that every object inherits: used as a key of a plain object, each finds a function instead of nothing. */
const inheritedNames = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']

/** The allowed names in a part of a request. */
function listNames(schema: Schema | undefined): string[] {
  if (!schema) return []
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties)
}

describe('names of inherited object properties', () => {
  let test: TestApp
  let endpoints: EndpointShape[]
  let tokens: string[]
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    endpoints = await contractEndpoints()
    const customer = await createCustomer(test, { userType: 'corporate' })
    tokens = [customer.token, (await createStaff(test, { type: 'superadmin' })).token]
  })

  const ask = async (endpoint: EndpointShape, query: Record<string, string>, body?: object, fill = newId()) => {
    const params = Object.fromEntries(listNames(endpoint.params).map((name) => [name, fill]))
    const url = fillPath(endpoint, params, query)
    for (const token of tokens) {
      const { statusCode } = await test.app.inject({
        method: endpoint.method,
        url,
        headers: { authorization: `Bearer ${token}` },
        ...(body ? { payload: body } : {}),
      })
      expect(statusCode, `${endpoint.method} ${url} ${JSON.stringify(body)?.slice(0, 100)}`).toBeLessThan(500)
    }
  }

  it('are not found in a table', () => {
    for (const name of inheritedNames) expect(lookup({ one: 1 }, name)).toBeUndefined()
    expect(lookup({ one: 1 }, 'one')).toBe(1)
  })

  it('are not accepted as a state', async () => {
    const { status, body } = await test.call(publicStations, { query: { state: 'constructor' } })
    expect([status, body.items]).toEqual([200, []])
  })

  it('never cause a server error as a parameter, in the URL or in the body', { timeout: 120_000 }, async () => {
    const streams = new Set(['text/event-stream'])
    const calls = endpoints.filter(({ media }) => !media || !streams.has(media))
    expect(calls.length).toBeGreaterThan(200)
    for (const endpoint of calls) {
      const names = listNames(endpoint.query)
      for (const [n, value] of inheritedNames.entries()) {
        // One name per call, since the first invalid one ends it; several names take turns with the values.
        const name = names[n % Math.max(1, names.length)]
        if (endpoint.method === 'GET' && name) await ask(endpoint, { [name]: value })
        if (n === 0 && endpoint.params) await ask(endpoint, {}, undefined, value)
      }
      if (endpoint.method === 'GET') {
        for (const name of names) await ask(endpoint, { [name]: 'constructor' })
      } else if (endpoint.body) {
        for (const name of listNames(endpoint.body)) await ask(endpoint, {}, { [name]: 'constructor' })
      }
    }
  })
})
