import { listAddresses } from '@waybill/contract/addresses/addresses'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { containing } from '../../src/db/conditions/like.ts'
import { listSearchWords } from '../../src/domains/addresses/rules.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { addAddress } from '../testing/factories/addresses.ts'

let test: TestApp
let customer: TestCustomer
beforeAll(async () => {
  test = await buildTestApp()
  customer = await createCustomer(test)
  await addAddress(test, customer, { contactName: 'Aisyah Rahman', company: 'Kedai 100% Cotton', kind: 'sender' })
  await addAddress(test, customer, { contactName: '陈伟明', phone: '+60164729318', kind: 'receiver' })
  await addAddress(test, customer, { contactName: 'Priya Nair', label: 'Under_score', remarks: 'Blue gate' })
})

type Query = NonNullable<Parameters<typeof test.call<typeof listAddresses>>[1]>['query']
const listNames = async (query: Query) => {
  const { status, body } = await test.call(listAddresses, { token: customer.token, query: query ?? {} })
  expect(status).toBe(200)
  return body.items.map(({ contactName }) => contactName)
}

describe('the search of the address book', () => {
  it('matches parts of any field, words in any order, and upper or lower case', async () => {
    expect(await listNames({ search: 'rahm AIS' })).toEqual(['Aisyah Rahman'])
    expect(await listNames({ search: 'blue nair' })).toEqual(['Priya Nair'])
    expect(await listNames({ search: '伟明' })).toEqual(['陈伟明'])
    expect(await listNames({ search: 'aisyah nair' })).toEqual([])
  })

  it('matches a phone number in its usual spellings', async () => {
    expect(await listNames({ search: '016-472 9318' })).toEqual(['陈伟明'])
    expect(await listNames({ search: '+6016 472' })).toEqual(['陈伟明'])
  })

  it('treats wildcards as plain characters', async () => {
    expect(await listNames({ search: '100%' })).toEqual(['Aisyah Rahman'])
    expect(await listNames({ search: '%' })).toEqual(['Aisyah Rahman'])
    expect(await listNames({ search: 'r_s' })).toEqual(['Priya Nair'])
    expect(await listNames({ search: '\\' })).toEqual([])
  })

  it('finds only addresses that contain every word', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (query) => {
        for (const pattern of listSearchWords(query).map(containing)) {
          // All wildcards except the outer ones are escaped.
          expect(pattern).toMatch(/^%(?:[^\\%_]|\\[\\%_])*%$/u)
        }
      }),
    )
  })
})

describe('the list of addresses', () => {
  it('includes addresses of the kind "both" in each kind', async () => {
    expect(await listNames({ kind: 'sender', sort: 'contactName' })).toEqual(['Aisyah Rahman', 'Priya Nair'])
    expect(await listNames({ kind: 'receiver', sort: 'contactName' })).toEqual(['Priya Nair', '陈伟明'])
    expect(await listNames({ kind: 'both' })).toEqual(['Priya Nair'])
  })

  it('pages and sorts; the last changed come first', async () => {
    expect(await listNames({})).toEqual(['Priya Nair', '陈伟明', 'Aisyah Rahman'])
    expect(await listNames({ sort: '-contactName', limit: 1, offset: 1 })).toEqual(['Priya Nair'])
    const { body } = await test.call(listAddresses, { token: customer.token, query: { limit: 2 } })
    expect(body).toMatchObject({ total: 3, limit: 2, offset: 0 })
  })
})
