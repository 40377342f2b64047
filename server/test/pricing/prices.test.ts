import type { BodyIn } from '@waybill/contract/endpoint'
import { priceInsurance, pricePickup, priceServices } from '@waybill/contract/pricing'
import { beforeAll, describe, expect, it } from 'vitest'
import { quoteServices } from '../../src/domains/pricing/service.ts'
import { dayIn } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
})

const kualaLumpur = { postcode: '50480' }
type Request = BodyIn<typeof priceServices>

/** A kilogram from door to door in Kuala Lumpur, unless told otherwise. */
const ask = (given: Partial<Request> = {}, token?: string) =>
  test.call(priceServices, {
    body: { sender: kualaLumpur, receiver: kualaLumpur, weightGrams: 1000, ...given },
    ...(token ? { token } : {}),
  })
const quotes = async (given: Partial<Request> = {}, token?: string) => {
  const { status, body } = await ask(given, token)
  expect(status).toBe(200)
  return body.items
}
/** The parcel service. */
const parcel = async (given: Partial<Request> = {}, token?: string) => {
  const [quote] = await quotes({ serviceType: 'e_parcel', ...given }, token)
  if (!quote) throw new Error('no quote')
  return quote
}
const linesOf = ({ price }: Awaited<ReturnType<typeof parcel>>) =>
  Object.fromEntries(price?.lines.map(({ kind, amountMinor }) => [kind, amountMinor]) ?? [])

describe('the services for a parcel', () => {
  it('come cheapest first, with their lines, without login', async () => {
    const items = await quotes()
    expect(items.map(({ serviceType }) => serviceType)).toEqual(['e_parcel', 'document', 'semi_express'])
    const totals = items.map(({ price }) => price?.totalMinor ?? 0)
    expect(totals).toEqual([...totals].sort((a, b) => a - b))
    const [cheapest] = items
    expect(cheapest).toMatchObject({
      code: 'own.e_parcel.D2D',
      carrier: 'own',
      open: true,
      reason: null,
      transitDays: 1,
    })
    // RM 6.00, 5 % fuel, RM 0.50 service charge; 6 % tax on each, rounded: 36 + 2 + 3.
    expect(cheapest?.price).toMatchObject({
      currency: 'MYR',
      chargeableGrams: 1000,
      rateCard: { code: 'STANDARD', version: 1 },
      totalMinor: 721,
    })
    expect(cheapest && linesOf(cheapest)).toEqual({ freight: 600, fuel: 30, service_charge: 50, tax: 41 })
  })

  it('name the pickup beside the price: once a pickup, not in the parcel', async () => {
    expect((await parcel()).pickupFeeMinor).toBe(212)
    const walkIn = await parcel({ deliveryMode: 'P2D' })
    expect(walkIn.pickupFeeMinor).toBe(0)
    expect(walkIn.price?.totalMinor).toBe((await parcel()).price?.totalMinor)
  })

  it('go by the volume of what is big but light', async () => {
    const big = await parcel({ dimensions: { lengthMm: 400, widthMm: 300, heightMm: 250 } })
    expect(big.price).toMatchObject({ volumetricGrams: 6000, chargeableGrams: 6000, weightGrams: 1000 })
    // Five steps of RM 1.20 above the first kilogram.
    expect(linesOf(big).freight).toBe(1200)
  })

  it('ask more for a remote place, at the doors only', async () => {
    const kapit = { postcode: '96800' }
    expect(linesOf(await parcel({ receiver: kapit })).remote_area).toBe(1200)
    expect(linesOf(await parcel({ sender: kapit })).remote_area).toBe(1200)
    expect(linesOf(await parcel({ sender: kapit, receiver: kapit })).remote_area).toBe(2400)
    expect(linesOf(await parcel({ sender: kapit, receiver: kapit, deliveryMode: 'P2P' })).remote_area).toBeUndefined()
  })

  it('are later where it is farther, on a working day of the destination', async () => {
    const near = await parcel()
    const far = await parcel({ receiver: { postcode: '93100' } })
    expect(far.transitDays).toBeGreaterThan(near.transitDays ?? 0)
    expect(String(far.expectedDate) > String(near.expectedDate)).toBe(true)
    expect(String(near.expectedDate) > dayIn(test.clock.now(), 'Asia/Kuala_Lumpur')).toBe(true)
    const kotaBharu = await parcel({ receiver: { postcode: '15000' } })
    expect(new Date(String(kotaBharu.expectedDate)).getUTCDay()).not.toBe(5)
  })
})

describe('closed services', () => {
  const reason = async (given: Partial<Request>, serviceType: string) => {
    const items = await quotes(given)
    const found = items.find((quote) => quote.serviceType === serviceType)
    expect(found).toMatchObject({ open: false, price: null, expectedDate: null })
    return found?.reason
  }

  it('stand after the open ones and say why', async () => {
    const heavy = { weightGrams: 2500 }
    const items = await quotes(heavy)
    expect(items.map(({ open }) => open)).toEqual([true, true, false])
    expect(await reason(heavy, 'document')).toEqual({ code: 'too_heavy', limit: 2000 })
    expect(await reason({ weightGrams: 30_001 }, 'e_parcel')).toEqual({ code: 'too_heavy', limit: 30_000 })
    const huge = { lengthMm: 1000, widthMm: 500, heightMm: 400 }
    expect(await reason({ dimensions: huge }, 'e_parcel')).toEqual({ code: 'too_large', limit: 30_000 })
  })

  it('abroad nobody goes yet', async () => {
    const singapore = { postcode: '238801', country: 'sg' }
    expect((await reason({ receiver: singapore }, 'e_parcel'))?.code).toBe('not_covered_destination')
    expect((await reason({ sender: singapore, receiver: singapore }, 'e_parcel'))?.code).toBe('not_covered_origin')
  })

  it('a postcode that does not exist is the fault of its field', async () => {
    const { status, error } = await ask({ receiver: { postcode: '99999' } })
    expect([status, error.code, error.errors?.[0]?.field]).toEqual([422, 'postcode_unknown', 'receiver.postcode'])
  })
})

describe('the conditions of an account', () => {
  it('are its own rate card and its discount', async () => {
    const { token, accountId } = await createCustomer(test, { userType: 'corporate' })
    expect((await parcel({}, token)).price?.totalMinor).toBe(721)
    const conditions = { rate_card_code: 'BUSINESS', discount_type: 'percentage', discount_value: 1000 }
    await test.deps.db.updateTable('accounts').set(conditions).where('id', '=', accountId).execute()
    const own = await parcel({}, token)
    expect(own.price?.rateCard.code).toBe('BUSINESS')
    expect(linesOf(own)).toMatchObject({ freight: 510, discount: -51 })
    expect((await parcel()).price?.rateCard.code).toBe('STANDARD')
  })

  it('fall back to the common card when their own is not valid today', async () => {
    const { token, accountId } = await createCustomer(test, { userType: 'corporate' })
    const { db } = test.deps
    await db.updateTable('accounts').set({ rate_card_code: 'GONE' }).where('id', '=', accountId).execute()
    expect((await parcel({}, token)).price?.rateCard.code).toBe('STANDARD')
  })
})

describe('insurance and collection', () => {
  it('are lines of their own', async () => {
    const lines = linesOf(await parcel({ insuredValueMinor: 45_000, codAmountMinor: 12_000 }))
    expect(lines).toMatchObject({ insurance: 250, cod: 300 })
  })

  it('ask the premium of the tier, and refuse what is above the last', async () => {
    const premium = (insuredValueMinor: number) => test.call(priceInsurance, { body: { insuredValueMinor } })
    expect((await premium(20_000)).body).toEqual({ currency: 'MYR', insuredValueMinor: 20_000, premiumMinor: 100 })
    expect((await premium(20_001)).body.premiumMinor).toBe(250)
    expect((await premium(300_001)).error).toMatchObject({
      code: 'validation',
      errors: [{ field: 'insuredValueMinor' }],
    })
    expect((await ask({ insuredValueMinor: 300_001 })).status).toBe(422)
  })
})

describe('a pickup', () => {
  it('costs the same for one parcel as for five, which share it to the last sen', async () => {
    const cost = async (parcels: number) =>
      (await test.call(pricePickup, { body: { postcode: '50480', parcels } })).body
    expect(await cost(1)).toEqual({
      currency: 'MYR',
      feeMinor: 212,
      shares: [{ amountMinor: 212, parcels: 1 }],
      covered: true,
    })
    expect((await cost(5)).shares).toEqual([
      { amountMinor: 43, parcels: 2 },
      { amountMinor: 42, parcels: 3 },
    ])
  })

  it('is made where riders go', async () => {
    const abroad = await test.call(pricePickup, { body: { postcode: '238801', country: 'sg' } })
    expect(abroad.body.covered).toBe(false)
  })
})

describe('what prices remember', () => {
  const request = {
    scope: 'domestic' as const,
    deliveryMode: 'D2D' as const,
    sender: { postcode: '50480', country: 'my' },
    receiver: { postcode: '10400', country: 'my' },
    weightGrams: 1000,
    dimensions: null,
    insuredValueMinor: null,
    codAmountMinor: null,
  }

  it('once warm, they ask nothing of the database', async () => {
    await quoteServices(test.deps, request, null)
    const { pool } = test.deps
    const query = pool.query.bind(pool)
    const connect = pool.connect.bind(pool)
    let asked = 0
    const count =
      <A extends unknown[], R>(original: (...args: A) => R) =>
      (...args: A) => {
        asked += 1
        return original(...args)
      }
    pool.query = count(query as never) as never
    pool.connect = count(connect as never) as never
    try {
      await quoteServices(test.deps, request, null)
    } finally {
      pool.query = query
      pool.connect = connect
    }
    expect(asked).toBe(0)
  })

  it('a new version of a card counts at once', async () => {
    const { db, live } = test.deps
    const card = await db.selectFrom('rate_cards').selectAll().where('code', '=', 'STANDARD').executeTakeFirstOrThrow()
    const line = await db
      .selectFrom('rate_lines')
      .selectAll()
      .where('rate_card_id', '=', card.id)
      .where('service_type', '=', 'e_parcel')
      .where('origin_zone', '=', 'KV')
      .where('destination_zone', '=', 'KV')
      .executeTakeFirstOrThrow()
    const id = newId()
    const heard = new Promise<void>((resolve) => live.subscribe('rates', () => resolve()))
    await db
      .insertInto('rate_cards')
      .values({ ...card, id, version: 2 })
      .execute()
    // Two bands of weight: what is above the first one has its own price.
    const band = { ...line, rate_card_id: id }
    await db
      .insertInto('rate_lines')
      .values([
        { ...band, id: newId(), first_price_minor: 700, max_weight_grams: 5000 },
        { ...band, id: newId(), first_price_minor: 2000, first_weight_grams: 6000, min_weight_grams: 5001 },
      ])
      .execute()
    await live.publish(db, 'rates', {})
    await heard
    const quote = await parcel()
    expect(quote.price?.rateCard).toEqual({ code: 'STANDARD', version: 2 })
    expect(linesOf(quote).freight).toBe(700)
    const bulky = await parcel({ dimensions: { lengthMm: 400, widthMm: 300, heightMm: 250 } })
    expect(linesOf(bulky).freight).toBe(2000)
  })
})
