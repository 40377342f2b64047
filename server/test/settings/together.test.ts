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
    expect((await save({ 'wallet.topUpMinMinor': 600_000, 'wallet.topUpMaxMinor': 600_000 })).status).toBe(200)
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
