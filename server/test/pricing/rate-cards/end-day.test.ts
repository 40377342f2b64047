import {
  createRateCard,
  getRateCard,
  listRateCards,
  publishRateCard,
  type RateCard,
  updateRateCard,
} from '@waybill/contract/pricing/rate-cards'
import { putSettings } from '@waybill/contract/settings/settings'
import { beforeEach, describe, expect, it } from 'vitest'
import { dayIn, days, later } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { quoteParcel } from '../quotes.ts'

describe('a version of the common rate card with an end day', () => {
  let test: TestApp
  let token: string
  let today: Date
  beforeEach(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    token = (await createStaff(test, { type: 'superadmin' })).token
    today = test.clock.now()
  })

  const day = (offset: number) => dayIn(later(today, days(offset)), 'Asia/Kuala_Lumpur')
  const moveTo = (offset: number) =>
    test.clock.advance(later(today, days(offset)).getTime() - test.clock.now().getTime())
  const common = async () => {
    const { items } = (await test.call(listRateCards, { token, query: { state: 'current' } })).body
    return items.find((card) => card.common) as RateCard
  }
  /** A draft of the card with dearer prices. */
  const draft = async (fromId: string, moreMinor: number, other = {}) => {
    const { body } = await test.call(createRateCard, { token, body: { fromId, ...other } })
    const lines = body.lines.map((line) => ({ ...line, firstPriceMinor: line.firstPriceMinor + moreMinor }))
    const { id, version, name } = body
    return (await test.call(updateRateCard, { token, params: { id }, body: { version, name, lines } })).body
  }
  const publish = ({ id, version }: RateCard, validFrom: string, validTo: string | null) =>
    test.call(publishRateCard, { token, params: { id }, body: { version, validFrom, validTo } })
  const price = async () => (await quoteParcel(test)).price?.totalMinor ?? 0

  it('replaces the open-ended version only until then', async () => {
    const usual = await common()
    const before = await price()
    const holiday = await publish(await draft(usual.id, 1000), day(2), day(4))
    expect([holiday.status, holiday.body.validTo]).toEqual([200, day(4)])
    expect((await test.call(getRateCard, { token, params: { id: usual.id } })).body.validTo).toBeNull()
    moveTo(2)
    const during = await price()
    expect(during).toBeGreaterThan(before)
    moveTo(4)
    expect(await price()).toBe(during)
    moveTo(5)
    expect(await price()).toBe(before)
  })

  it('is followed by the next open-ended version, which ends the earlier one', async () => {
    const usual = await common()
    const holiday = (await publish(await draft(usual.id, 1000), day(2), day(4))).body
    expect((await publish(await draft(holiday.id, 1000), day(4), null)).error.errors?.[0]?.field).toBe('validFrom')
    const { items } = (await test.call(listRateCards, { token, query: { state: 'draft', search: usual.code } })).body
    expect((await publish(items[0] as RateCard, day(5), null)).status).toBe(200)
    expect((await test.call(getRateCard, { token, params: { id: usual.id } })).body.validTo).toBe(day(4))
  })

  it('is refused if no other version would be valid afterwards', async () => {
    const only = await draft((await common()).id, 0, { code: 'ONLY', name: 'Only' })
    expect((await publish(only, day(0), day(9))).status).toBe(200)
    await test.call(putSettings, { token, body: { values: { 'price.rateCard': 'ONLY' } } })
    const next = await draft(only.id, 0)
    const refusal = await publish(next, day(10), day(20))
    expect(refusal.error.errors).toEqual([
      {
        field: 'validTo',
        message: 'Valid until: after this day the general rate card would have no prices. Leave it empty.',
      },
    ])
    expect((await publish(next, day(10), null)).status).toBe(200)
  })
})
