import { createRateCard, listRateCards, publishRateCard } from '@waybill/contract/pricing/rate-cards'
import { getGeneralSettings, putSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn } from '../../src/lib/clock.ts'
import { askPrices } from '../pricing/quotes.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { fundWallet } from '../testing/factories/wallet.ts'

describe('settings that depend on other data', () => {
  let test: TestApp
  let token: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    token = (await createStaff(test, { type: 'superadmin' })).token
  })

  const save = (values: Record<string, unknown>, language?: string) =>
    test.call(putSettings, { token, body: { values }, ...(language ? { language } : {}) })
  const refused = async (values: Record<string, unknown>, language?: string) => {
    const { status, error } = await save(values, language)
    return [status, ...(error.errors ?? []).map(({ field, message }) => `${field} ${message}`)]
  }

  it('take the common rate card only if it has a version that is valid today', async () => {
    const [common] = (await test.call(listRateCards, { token, query: { search: 'STANDARD' } })).body.items
    const draft = await test.call(createRateCard, {
      token,
      body: { fromId: common?.id ?? '', code: 'NEW', name: 'New' },
    })
    const values = { 'price.rateCard': 'NEW', 'company.name': 'Not written' }
    const message = 'price.rateCard General rate card: this rate card has no published version that is valid today.'
    expect(await refused(values)).toEqual([422, message])
    expect((await refused(values, 'zh'))[1]).toContain('没有有效的已发布版本')
    expect((await test.call(getGeneralSettings)).body.companyName).not.toBe('Not written')
    expect((await askPrices(test)).status).toBe(200)
    const validFrom = dayIn(test.clock.now(), 'Asia/Kuala_Lumpur')
    const { id, version } = draft.body
    await test.call(publishRateCard, { token, params: { id }, body: { version, validFrom } })
    expect((await save({ 'price.rateCard': 'NEW' })).status).toBe(200)
    const cards = (await test.call(listRateCards, { token, query: { state: 'current' } })).body.items
    expect(cards.filter((card) => card.common).map(({ code }) => code)).toEqual(['NEW'])
    expect((await askPrices(test)).status).toBe(200)
    await save({ 'price.rateCard': 'STANDARD' })
  })

  it('keep the smallest top-up at or below the largest, whichever changes', async () => {
    const largest = expect.stringContaining('wallet.topUpMaxMinor')
    expect(await refused({ 'wallet.topUpMinMinor': 600_000 })).toEqual([422, largest])
    expect(await refused({ 'wallet.topUpMaxMinor': 500 })).toEqual([422, largest])
    const limits = { 'wallet.topUpMinMinor': 600_000, 'wallet.topUpMaxMinor': 600_000 }
    expect((await save({ ...limits, 'wallet.topUpPresetsMinor': [600_000] })).status).toBe(200)
    const before = { 'wallet.topUpMinMinor': 1000, 'wallet.topUpMaxMinor': 500_000 }
    await save({ ...before, 'wallet.topUpPresetsMinor': [5000, 10_000] })
  })

  it.each([
    ['wallet.topUpPresetsMinor', [500], '介于最低与最高充值金额之间'],
    ['wallet.topUpMaxMinor', 6000, '介于最低与最高充值金额之间'],
    ['wallet.bonusPackages', [1, 2].map((bonusMinor) => ({ fromMinor: 20_000, bonusMinor })), '起始金额相同'],
    ['wallet.bonusPackages', [{ fromMinor: 20_000, bonusMinor: 20_001 }], '不能超过'],
    ['countries', [], '至少'],
    ['countries', ['Singapore|sg'], '（my）'],
    ['countries', ['Malaysia|my', 'Malaya|my'], '重复'],
    ['price.serviceCharge', { type: 'percentage', value: 10_001 }, '100 %'],
    ['price.insuranceTiers', [1, 2].map((premiumMinor) => ({ upToMinor: 1000, premiumMinor })), '上限相同'],
    ['price.insuranceTiers', [{ upToMinor: 1000, premiumMinor: 1001 }], '不能超过'],
  ])('refuse %s with the value %j', async (key, value, chinese) => {
    const [status, message] = await refused({ [key]: value, 'company.name': 'Not written' })
    expect([status, message]).toEqual([422, expect.stringMatching(new RegExp(`^${key} .+[.]$`))])
    expect((await refused({ [key]: value }, 'zh'))[1]).toContain(chinese)
    expect((await test.call(getGeneralSettings)).body.companyName).not.toBe('Not written')
  })

  it('may be as large as they make sense', async () => {
    const values = {
      'price.serviceCharge': { type: 'percentage', value: 10_000 },
      'wallet.bonusPackages': [{ fromMinor: 20_000, bonusMinor: 20_000 }],
      countries: ['Malaysia|my', 'Singapore|sg'],
    }
    expect((await save(values)).status).toBe(200)
    // The list of countries without the new own country.
    expect(await refused({ countryCode: 'cn' })).toEqual([422, expect.stringMatching(/^countryCode .*\(cn\)/)])
    await save({ 'price.serviceCharge': { type: 'fixed', value: 50 }, 'wallet.bonusPackages': [], countries: null })
  })

  it('change the currency only while nothing is booked', async () => {
    expect((await save({ currency: 'SGD' })).status).toBe(200)
    expect((await test.call(getGeneralSettings)).body.currency).toBe('SGD')
    await save({ currency: 'MYR' })
    await fundWallet(test, await createCustomer(test), 1000)
    expect(await refused({ currency: 'SGD' })).toEqual([422, expect.stringMatching(/^currency .*MYR/)])
    expect((await refused({ currency: 'SGD' }, 'zh'))[1]).toContain('不能再更改')
    expect((await save({ currency: 'MYR' })).status).toBe(200)
  })
})
