import * as enums from '@waybill/contract/ground/enums/enums'
import * as parcelEnums from '@waybill/contract/ground/enums/parcel-enums'
import { getOptions, getSelector } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'

describe('options', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  it('contain every enumeration of the contract with labels in both languages', async () => {
    const { body } = await test.call(getOptions)
    const tables = Object.keys({ ...enums, ...parcelEnums }).filter((name) => name.endsWith('Labels'))
    expect(Object.keys(body.enums).sort()).toEqual(tables.map((name) => name.replace(/Labels$/, '')).sort())
    expect(body.enums.parcelStatus).toHaveLength(18)
    expect(body.enums.parcelStatus?.[0]).toEqual({
      value: 'pending_payment',
      labels: { en: 'Waiting for payment', cn_zh: '等待付款' },
    })
  })

  it('contain the countries as the specification writes them, with both look-ups', async () => {
    const { body } = await test.call(getOptions)
    expect(body.countries).toContain('Malaysia|my')
    expect(body.countries.every((country) => /^[^|]+\|[a-z]{2}$/.test(country))).toBe(true)
    expect(body.countries.length).toBeGreaterThan(240)
    expect(body.countryCodeByName.Malaysia).toBe('my')
    expect(body.countryNameByCode.sg).toBe('Singapore')
    expect(Object.keys(body.countryNameByCode)).toHaveLength(body.countries.length)
  })

  it('contain the payment methods of the caller, and the reasons why others are unavailable', async () => {
    const ask = async (token?: string) => {
      const { body } = await test.call(getOptions, token ? { token } : {})
      return Object.fromEntries(body.paymentMethods.map(({ method, open, reason }) => [method, open || reason]))
    }
    const all = (state: true | string) => ({
      monthly_billing: state,
      express_credit: state,
      ipay88: state,
      store: state,
      credit_card: state,
    })
    const tokenFor = async (overrides: Parameters<typeof createCustomer>[1]) =>
      (await createCustomer(test, overrides)).token
    expect(await ask()).toEqual(all('sign_in'))
    expect(await ask(await tokenFor({}))).toEqual({ ...all(true), monthly_billing: 'corporate_only' })
    expect(await ask(await tokenFor({ userType: 'corporate' }))).toEqual(all(true))
    expect(await ask(await tokenFor({ accountStatus: 'inactive' }))).toEqual(all('suspended'))
    const member = { userType: 'corporate', isOwner: false } as const
    expect(await ask(await tokenFor(member))).toEqual(all('no_permission'))
    expect(await ask(await tokenFor({ ...member, permissions: ['pay'] }))).toEqual(all(true))
    expect(await ask((await createStaff(test, { type: 'admin' })).token)).toEqual(all('customers_only'))
  })
})

describe('drop-downs', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  const choices = async (name: string, options: { token?: string; language?: string; search?: string } = {}) => {
    const { search, ...rest } = options
    return test.call(getSelector, { params: { name }, query: search ? { search } : {}, ...rest })
  }

  it('have labels in the requested language', async () => {
    const english = await choices('delivery-modes')
    expect(english.body.items[0]).toEqual({ value: 'D2D', label: 'Pick Up - Delivery' })
    const chinese = await choices('countries', { language: 'zh', search: '马来' })
    expect(chinese.body.items).toEqual([{ value: 'my', label: '马来西亚' }])
    for (const name of ['service-types', 'content-types', 'parcel-statuses', 'banks']) {
      const { body } = await choices(name, { language: 'zh' })
      expect(body.items.length).toBeGreaterThan(2)
    }
  })

  it('offer the available payment methods', async () => {
    expect((await choices('payment-methods')).body.items).toEqual([])
    const { token } = await createCustomer(test)
    const { body } = await choices('payment-methods', { token })
    expect(body.items.map(({ value }) => value)).toEqual(['express_credit', 'ipay88', 'store', 'credit_card'])
  })

  it("list a company's users to its users only", async () => {
    const owner = await createCustomer(test, { userType: 'corporate', name: 'Aminah' })
    await createCustomer(test, { accountId: owner.accountId, isOwner: false, name: 'Bala', userType: 'corporate' })
    await createCustomer(test, { userType: 'corporate', name: 'Somebody else' })
    const { body } = await choices('corporate-users', { token: owner.token })
    expect(body.items.map(({ label }) => label)).toEqual(['Aminah', 'Bala'])
    expect(await choices('corporate-users')).toMatchObject({ status: 401, error: { code: 'unauthorized' } })
  })

  it.each(['nothing', 'constructor', '__proto__', 'toString'])('do not include %s', async (name) => {
    expect(await choices(name)).toMatchObject({ status: 404, error: { code: 'not_found' } })
  })
})
