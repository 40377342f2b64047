import { listAddresses } from '@waybill/contract/addresses/addresses'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { searchPatterns } from '../../src/domains/addresses/rules.ts'
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
const names = async (query: Query) => {
  const { status, body } = await test.call(listAddresses, { token: customer.token, query: query ?? {} })
  expect(status).toBe(200)
  return body.items.map(({ contactName }) => contactName)
}

describe('the address book is searched as one types', () => {
  it('by parts of any field, words in any order, upper or lower case', async () => {
    expect(await names({ search: 'rahm AIS' })).toEqual(['Aisyah Rahman'])
    expect(await names({ search: 'blue nair' })).toEqual(['Priya Nair'])
    expect(await names({ search: '伟明' })).toEqual(['陈伟明'])
    expect(await names({ search: 'aisyah nair' })).toEqual([])
  })

  it('by a phone number as people write it', async () => {
    expect(await names({ search: '016-472 9318' })).toEqual(['陈伟明'])
    expect(await names({ search: '+6016 472' })).toEqual(['陈伟明'])
  })

  it('takes wildcards for what they are', async () => {
    expect(await names({ search: '100%' })).toEqual(['Aisyah Rahman'])
    expect(await names({ search: '%' })).toEqual(['Aisyah Rahman'])
    expect(await names({ search: 'r_s' })).toEqual(['Priya Nair'])
    expect(await names({ search: '\\' })).toEqual([])
  })

  it('finds nothing else than what contains every word', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (typed) => {
        for (const pattern of searchPatterns(typed)) {
          // Between the outer wildcards every other one is escaped.
          expect(pattern).toMatch(/^%(?:[^\\%_]|\\[\\%_])*%$/u)
        }
      }),
    )
  })
})

describe('the list', () => {
  it('has for a kind those that serve for both', async () => {
    expect(await names({ kind: 'sender', sort: 'contactName' })).toEqual(['Aisyah Rahman', 'Priya Nair'])
    expect(await names({ kind: 'receiver', sort: 'contactName' })).toEqual(['Priya Nair', '陈伟明'])
    expect(await names({ kind: 'both' })).toEqual(['Priya Nair'])
  })

  it('pages and sorts; those changed last come first', async () => {
    expect(await names({})).toEqual(['Priya Nair', '陈伟明', 'Aisyah Rahman'])
    expect(await names({ sort: '-contactName', limit: 1, offset: 1 })).toEqual(['Priya Nair'])
    const { body } = await test.call(listAddresses, { token: customer.token, query: { limit: 2 } })
    expect(body).toMatchObject({ total: 3, limit: 2, offset: 0 })
  })
})
