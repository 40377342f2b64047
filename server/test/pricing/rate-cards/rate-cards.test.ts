import { setAccountTerms } from '@waybill/contract/payments/account-overview'
import { priceServices } from '@waybill/contract/pricing/pricing'
import * as rates from '@waybill/contract/pricing/rate-cards'
import { getRateCard, listRateCards, type RateLine } from '@waybill/contract/pricing/rate-cards'
import { beforeAll, describe, expect, it } from 'vitest'
import { lineProblems, resolveValidity } from '../../../src/domains/pricing/rate-cards/rules.ts'
import { dayIn, days, later } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { listActivities } from '../../testing/activities.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'

let test: TestApp
let token: string
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
  token = (await createStaff(test, { role: 'product_manager' })).token
})

const day = (offset: number) => dayIn(later(test.clock.now(), days(offset)), 'Asia/Kuala_Lumpur')
const cards = async () => (await test.call(listRateCards, { token, query: {} })).body.items
const standard = async () => {
  const card = (await cards()).filter(({ code, state }) => code === 'STANDARD' && state === 'current')[0]
  if (!card) throw new Error('no standard card')
  return card
}
const getCard = async (id: string) => (await test.call(getRateCard, { token, params: { id } })).body
let serial = 0
/** A draft of a new card with a few lines. */
const draft = async () => {
  serial += 1
  const body = { fromId: (await standard()).id, code: `CARD${serial}`, name: 'Test' }
  return (await test.call(rates.createRateCard, { token, body })).body
}
const write = (id: string, version: number, lines: RateLine[], name = 'Test') =>
  test.call(rates.updateRateCard, { token, params: { id }, body: { version, name, lines } })
const publish = (id: string, body: { version: number; validFrom: string; validTo?: string | null }) =>
  test.call(rates.publishRateCard, { token, params: { id }, body })
/** Resolves when another process is notified that the rates changed. */
const waitForRates = () => new Promise<void>((resolve) => test.deps.live.subscribe('rates', () => resolve()))

describe('rate cards', () => {
  it('are listed with their status and the number of accounts that use them', async () => {
    const { accountId } = await createCustomer(test, { userType: 'corporate' })
    await test.deps.db.updateTable('accounts').set({ rate_card_code: 'BUSINESS' }).where('id', '=', accountId).execute()
    const list = await cards()
    expect(list.map(({ code, edition, state }) => `${code} ${edition} ${state}`).slice(0, 3)).toEqual([
      'BUSINESS 2 draft',
      'BUSINESS 1 current',
      'STANDARD 1 current',
    ])
    expect(list[1]).toMatchObject({ accountCount: 1, common: false })
    expect(list[2]).toMatchObject({ accountCount: 0, common: true, currency: 'MYR' })
    const drafts = await test.call(listRateCards, { token, query: { state: 'draft', search: 'busi' } })
    expect(drafts.body.items).toHaveLength(1)
  })

  it('are copied to one draft per card, edited, and published with immediate effect in every process', async () => {
    const from = await standard()
    const draft = await test.call(rates.createRateCard, { token, body: { fromId: from.id } })
    expect(draft.body).toMatchObject({ code: 'STANDARD', edition: 2, state: 'draft', lineCount: from.lineCount })
    const again = await test.call(rates.createRateCard, { token, body: { fromId: from.id } })
    expect([again.status, again.error.code]).toEqual([409, 'rate_card_draft_exists'])

    const lines = draft.body.lines.map((line) => ({ ...line, firstPriceMinor: line.firstPriceMinor + 1000 }))
    const update = await write(draft.body.id, draft.body.version, lines, 'Dearer')
    expect(update.body).toMatchObject({ name: 'Dearer', version: 2 })
    expect(update.body.lines).toEqual(lines)
    const stale = await write(draft.body.id, draft.body.version, lines)
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])

    const price = async () => {
      const body = { sender: { postcode: '50480' }, receiver: { postcode: '50480' }, weightGrams: 1000 }
      const [quote] = (await test.call(priceServices, { body: { ...body, serviceType: 'e_parcel' as const } })).body
        .items
      return [quote?.price?.rateCard.version, quote?.price?.lines[0]?.amountMinor]
    }
    expect(await price()).toEqual([1, 600])
    const notice = waitForRates()
    // Today's version ends yesterday; prices from it still refer to it.
    const published = await publish(draft.body.id, { version: 2, validFrom: day(0) })
    expect(published.body).toMatchObject({ state: 'current', validFrom: day(0), validTo: null })
    await notice
    expect(await price()).toEqual([2, 1600])
    expect(await getCard(from.id)).toMatchObject({ state: 'past', validTo: day(-1) })
  })

  it('cannot be changed once they are published', async () => {
    const { id, version } = await standard()
    const card = await getCard(id)
    for (const answer of [
      await write(id, version, card.lines),
      await publish(id, { version, validFrom: day(1) }),
      await test.call(rates.removeRateCard, { token, params: { id } }),
    ]) {
      expect([answer.status, answer.error.code]).toEqual([409, 'rate_card_published'])
    }
    const { db } = test.deps
    await expect(
      db.updateTable('rate_lines').set({ first_price_minor: 1 }).where('rate_card_id', '=', id).execute(),
    ).rejects.toThrow('published')
    await expect(db.deleteFrom('rate_lines').where('rate_card_id', '=', id).execute()).rejects.toThrow('published')
  })

  it('can be deleted while they are drafts', async () => {
    const { id } = await draft()
    expect((await test.call(rates.removeRateCard, { token, params: { id } })).status).toBe(200)
    expect((await test.call(getRateCard, { token, params: { id } })).status).toBe(404)
  })

  it('reject periods in the past, with an end before the start, or that overlap', async () => {
    const one = await draft()
    const refused = async (body: { validFrom: string; validTo?: string }) => {
      const { status, error } = await publish(one.id, { version: one.version, ...body })
      return [status, error.errors?.[0]?.field]
    }
    expect(await refused({ validFrom: day(-1) })).toEqual([422, 'validFrom'])
    expect(await refused({ validFrom: day(5), validTo: day(4) })).toEqual([422, 'validTo'])
    expect((await publish(one.id, { version: one.version, validFrom: day(5), validTo: day(9) })).body.state).toBe(
      'upcoming',
    )
    const two = (await test.call(rates.createRateCard, { token, body: { fromId: one.id } })).body
    const overlap = async (validFrom: string, validTo: string | null) =>
      (await publish(two.id, { version: two.version, validFrom, validTo })).error.errors?.[0]
    expect(await overlap(day(9), null)).toEqual({
      field: 'validFrom',
      message: 'Valid from: version 1 of this rate card is in force then.',
    })
    expect((await overlap(day(2), day(5)))?.field).toBe('validTo')
    expect((await publish(two.id, { version: two.version, validFrom: day(10) })).status).toBe(200)
  })

  it('are rejected line by line, with the field named', async () => {
    const { id, version, lines } = await draft()
    const [first, second] = lines as [RateLine, RateLine]
    const refused = async (...wrong: object[]) => {
      const { status, error } = await write(id, version, wrong as RateLine[])
      expect(status).toBe(422)
      return error.errors?.map(({ field }) => field)
    }
    expect(await refused({ ...first, firstPriceMinor: -1 })).toEqual(['lines.0.firstPriceMinor'])
    expect(await refused(first, { ...second, originZone: 'NOWHERE' })).toEqual(['lines.1.originZone'])
    expect(await refused(first, second, first)).toEqual(['lines.2.minWeightGrams'])
    const heavy = { ...first, minWeightGrams: first.maxWeightGrams + 1, maxWeightGrams: first.maxWeightGrams * 2 }
    expect(await refused(first, { ...heavy, minWeightGrams: first.maxWeightGrams })).toEqual(['lines.1.minWeightGrams'])
    expect(await refused(first, { ...heavy, minWeightGrams: first.maxWeightGrams + 2 })).toEqual([
      'lines.1.minWeightGrams',
    ])
    expect(await refused({ ...first, maxWeightGrams: 1, minWeightGrams: 2 })).toEqual(['lines.0.maxWeightGrams'])
    expect((await write(id, version, [first, heavy])).status).toBe(200)
    expect((await getCard(id)).lines).toHaveLength(2)
  })

  it('are in the activity log', async () => {
    const { id } = await draft()
    const rows = await listActivities(test, { subject: id })
    expect(rows.map(({ action, level }) => [action, level])).toEqual([['rates.draft', 'NOTICE']])
  })
})

describe('rules of rate cards', () => {
  const line: RateLine = {
    scope: 'domestic',
    carrier: 'own',
    serviceType: 'e_parcel',
    originZone: 'A',
    destinationZone: 'A',
    minWeightGrams: 1,
    maxWeightGrams: 100,
    firstWeightGrams: 10,
    firstPriceMinor: 1,
    stepWeightGrams: 10,
    stepPriceMinor: 1,
    transitDays: 1,
  }
  const zones = [{ scope: 'domestic' as const, code: 'A' }]
  const listRules = (...lines: RateLine[]) => lineProblems(lines, zones).map(({ field, rule }) => `${field} ${rule}`)

  it('detect bands that overlap, leave a gap or are repeated, in any order', () => {
    const above = { ...line, minWeightGrams: 101, maxWeightGrams: 200 }
    expect(listRules(above, line)).toEqual([])
    expect(listRules({ ...above, minWeightGrams: 100 }, line)).toEqual(['lines.0.minWeightGrams bandOverlap'])
    expect(listRules({ ...above, minWeightGrams: 102 }, line)).toEqual(['lines.0.minWeightGrams bandGap'])
    expect(listRules(line, line)).toEqual(['lines.1.minWeightGrams lineTwice'])
    expect(listRules(line, { ...line, carrier: 'dhl' })).toEqual([])
    expect(listRules({ ...line, scope: 'international' })).toEqual(['lines.0.originZone zoneUnknown'])
  })

  it('let a version supersede only the open-ended one before it', () => {
    const one = { edition: 1, validFrom: '2026-01-01', validTo: null }
    const from = (validFrom: string, validTo: string | null = null) =>
      resolveValidity({ validFrom, validTo }, [one], '2026-05-01')
    expect(from('2026-06-01')).toEqual({ ends: [one], problem: null })
    expect(from('2026-04-30').problem?.rule).toBe('dayPast')
    expect(resolveValidity({ validFrom: '2026-01-01', validTo: null }, [one], '2025-05-01').problem?.rule).toBe(
      'validityOverlap',
    )
  })
})

describe('services', () => {
  const services = async () => (await test.call(rates.listServices, { token })).body

  it('are opened, closed and limited, with immediate effect on prices', async () => {
    const { services: all, carriers } = await services()
    expect(all).toHaveLength(18)
    expect(carriers.map(({ carrier, divisor }) => [carrier, divisor])).toEqual([
      ['dhl', 5000],
      ['own', null],
      ['yunda', 6000],
    ])
    const own = all.find(
      ({ scope, carrier, serviceType }) => `${scope}.${carrier}.${serviceType}` === 'domestic.own.document',
    )
    if (!own) throw new Error('no service')
    const { scope, carrier, serviceType, ...limits } = own
    const params = { scope, carrier, serviceType }
    const save = (change: object) => test.call(rates.updateService, { token, params, body: { ...limits, ...change } })
    const quote = async () => {
      const body = { sender: { postcode: '50480' }, receiver: { postcode: '50480' }, weightGrams: 900, serviceType }
      const [service] = (await test.call(priceServices, { body })).body.items
      return service?.reason
    }
    let notice = waitForRates()
    expect((await save({ maxWeightGrams: 500 })).body).toMatchObject({ maxWeightGrams: 500, version: 2 })
    await notice
    expect(await quote()).toEqual({ code: 'too_heavy', limit: 500 })
    notice = waitForRates()
    expect((await save({ version: 2, status: 'closed' })).status).toBe(200)
    await notice
    expect((await quote())?.code).toBe('switched_off')
    expect((await save({ version: 2 })).error.code).toBe('version_conflict')
    const modeless = await save({ version: 3, status: 'open', deliveryModes: [] })
    expect([modeless.status, modeless.error.errors?.[0]?.field]).toEqual([422, 'deliveryModes'])
    expect((await save({ version: 3 })).status).toBe(200)
  })

  it('of another carrier never collect cash on delivery, because the money would not reach the sender', async () => {
    const isYunda = ({ scope, carrier, serviceType }: rates.OfferedService) =>
      `${scope}.${carrier}.${serviceType}` === 'international.yunda.e_parcel'
    const find = async () => (await services()).services.find(isYunda) as rates.OfferedService
    const { scope, carrier, serviceType, ...limits } = await find()
    const params = { scope, carrier, serviceType }
    const refused = await test.call(rates.updateService, { token, params, body: { ...limits, cod: true } })
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([422, 'cod'])
    expect(refused.error.errors?.[0]?.message).toContain('only our own network')
    // The flag may be set from before it was refused.
    const { db, live } = test.deps
    await db.updateTable('services').set({ cod: true }).where('carrier', '=', carrier).execute()
    const notice = waitForRates()
    await live.publish(db, 'rates', {})
    await notice
    expect((await find()).cod).toBe(false)
    const place = { sender: { postcode: '50480' }, receiver: { postcode: '200000', country: 'cn' } }
    const body = { ...place, scope, serviceType, weightGrams: 900, codAmountMinor: 5000 }
    const { items } = (await test.call(priceServices, { body })).body
    expect(items.find((item) => item.carrier === carrier)?.reason?.code).toBe('no_cod')
  })

  it("of a carrier follow the carrier's rules", async () => {
    const own = (await services()).carriers.find(({ carrier }) => carrier === 'own')
    const save = (body: object) =>
      test.call(rates.updateCarrierRule, {
        token,
        params: { carrier: 'own' },
        body: { divisor: null, roundingGrams: null, fuelBasisPoints: null, version: own?.version ?? 1, ...body },
      })
    const notice = waitForRates()
    expect((await save({ divisor: 4000, fuelBasisPoints: 0 })).body).toMatchObject({ divisor: 4000, version: 2 })
    await notice
    const dimensions = { lengthMm: 400, widthMm: 300, heightMm: 250 }
    const body = { sender: { postcode: '50480' }, receiver: { postcode: '50480' }, weightGrams: 900, dimensions }
    const [quote] = (await test.call(priceServices, { body: { ...body, serviceType: 'e_parcel' as const } })).body.items
    expect(quote?.price).toMatchObject({ divisor: 4000, volumetricGrams: 7500 })
    expect(quote?.price?.lines.map(({ kind }) => kind)).not.toContain('fuel')
    expect((await save({})).error.code).toBe('version_conflict')
    expect((await save({ version: 2, divisor: 10 })).status).toBe(422)
    expect((await save({ version: 2 })).status).toBe(200)
  })
})

describe('the conditions of an account', () => {
  it('are searched by name or email, and set by staff who manage the rates', async () => {
    const { accountId, email } = await createCustomer(test, { userType: 'corporate', name: 'Kedai 100% Murah' })
    const find = async (query: object) =>
      (await test.call(rates.listAccountConditions, { token, query })).body.items.filter(({ id }) => id === accountId)
    expect(await find({ search: '100% mur' })).toHaveLength(1)
    expect(await find({ search: email.toUpperCase() })).toHaveLength(1)
    expect(await find({ special: 'true' })).toEqual([])
    const save = (body: object) =>
      test.call(setAccountTerms, {
        token,
        params: { id: accountId },
        body: { version: 1, pricing: { rateCardCode: null, discount: null, ...body } as never },
      })
    const refused = async (body: object) => {
      const { status, error } = await save(body)
      return [status, error.errors?.[0]?.field]
    }
    expect(await refused({ rateCardCode: 'NEVER' })).toEqual([422, 'pricing.rateCardCode'])
    expect(await refused({ discount: { type: 'percentage', value: 10_001 } })).toEqual([422, 'pricing.discount.value'])
    expect(await refused({ discount: { type: 'fixed', value: 0 } })).toEqual([422, 'pricing.discount.value'])
    const conditions = await save({ rateCardCode: 'business', discount: { type: 'percentage', value: 1500 } })
    expect(conditions.body).toMatchObject({
      pricing: { rateCardCode: 'BUSINESS', discount: { type: 'percentage', value: 1500 } },
      version: 2,
    })
    expect((await save({})).error.code).toBe('version_conflict')
    expect(await find({ special: 'true' })).toMatchObject([{ rateCardCode: 'BUSINESS' }])
    const log = await listActivities(test, { subject: accountId })
    expect(log.map(({ action }) => action)).toEqual(['rates.account'])
    const params = { id: newId() }
    const unknown = await test.call(setAccountTerms, {
      token,
      params,
      body: { version: 1, pricing: { rateCardCode: null, discount: null } },
    })
    expect(unknown.status).toBe(404)
  })
})
