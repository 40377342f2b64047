import { priceInsurance, pricePickup } from '@waybill/contract/pricing/pricing'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { askPrices, getLines, listQuotes, quoteParcel, type Request } from './quotes.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
  await seedTestNetwork(test)
})

describe('the services for a parcel', () => {
  it('are listed cheapest first, with their lines, without signing in', async () => {
    const items = await listQuotes(test)
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
    // RM 6.00, 5 % fuel, RM 2.00 pickup, RM 0.50 service charge; 6 % tax on each, rounded: 36 + 2 + 12 + 3.
    expect(cheapest?.price).toMatchObject({
      currency: 'MYR',
      chargeableGrams: 1000,
      rateCard: { code: 'STANDARD', version: 1 },
      // Customers read the names; the codes mean nothing to them.
      zoneNames: {
        origin: 'Klang Valley',
        destination: 'Klang Valley',
        originZh: '巴生谷',
        destinationZh: '巴生谷',
      },
      totalMinor: 933,
    })
    expect(cheapest && getLines(cheapest)).toEqual({ freight: 600, fuel: 30, pickup: 200, service_charge: 50, tax: 53 })
  })

  it('cost what is paid: with the pickup of a parcel that is picked up alone', async () => {
    const fetched = await quoteParcel(test)
    expect(fetched.pickupFeeMinor).toBe(212)
    const walkIn = await quoteParcel(test, { deliveryMode: 'P2D' })
    expect(walkIn.pickupFeeMinor).toBe(0)
    expect(fetched.price?.totalMinor).toBe((walkIn.price?.totalMinor ?? 0) + 212)
  })

  it('are priced by volume for a large, light parcel', async () => {
    const big = await quoteParcel(test, { dimensions: { lengthMm: 400, widthMm: 300, heightMm: 250 } })
    expect(big.price).toMatchObject({ volumetricGrams: 6000, chargeableGrams: 6000, weightGrams: 1000 })
    // Five steps of RM 1.20 above the first kilogram.
    expect(getLines(big).freight).toBe(1200)
  })

  it('cost more for a remote place, for door delivery only', async () => {
    const kapit = { postcode: '96800' }
    expect(getLines(await quoteParcel(test, { receiver: kapit })).remote_area).toBe(1200)
    expect(getLines(await quoteParcel(test, { sender: kapit })).remote_area).toBe(1200)
    expect(getLines(await quoteParcel(test, { sender: kapit, receiver: kapit })).remote_area).toBe(2400)
    expect(
      getLines(await quoteParcel(test, { sender: kapit, receiver: kapit, deliveryMode: 'P2P' })).remote_area,
    ).toBeUndefined()
  })

  it('arrive later for a longer distance, on a working day of the destination', async () => {
    const near = await quoteParcel(test)
    const far = await quoteParcel(test, { receiver: { postcode: '93100' } })
    expect(far.transitDays).toBeGreaterThan(near.transitDays ?? 0)
    expect(String(far.expectedDate) > String(near.expectedDate)).toBe(true)
    expect(String(near.expectedDate) > dayIn(test.clock.now(), 'Asia/Kuala_Lumpur')).toBe(true)
    const kotaBharu = await quoteParcel(test, { receiver: { postcode: '15000' } })
    expect(new Date(String(kotaBharu.expectedDate)).getUTCDay()).not.toBe(5)
  })
})

describe('closed services', () => {
  const reason = async (overrides: Partial<Request>, serviceType: string) => {
    const items = await listQuotes(test, overrides)
    const match = items.find((quote) => quote.serviceType === serviceType)
    expect(match).toMatchObject({ open: false, price: null, expectedDate: null })
    return match?.reason
  }

  it('are listed after the open ones, with the reason', async () => {
    const heavy = { weightGrams: 2500 }
    const items = await listQuotes(test, heavy)
    expect(items.map(({ open }) => open)).toEqual([true, true, false])
    expect(await reason(heavy, 'document')).toEqual({ code: 'too_heavy', limit: 2000 })
    expect(await reason({ weightGrams: 30_001 }, 'e_parcel')).toEqual({ code: 'too_heavy', limit: 30_000 })
    const huge = { lengthMm: 1000, widthMm: 500, heightMm: 400 }
    expect(await reason({ dimensions: huge }, 'e_parcel')).toEqual({ code: 'too_large', limit: 30_000 })
  })

  it('include all services to or from a country that is not covered', async () => {
    const singapore = { postcode: '238801', country: 'sg' }
    expect((await reason({ receiver: singapore }, 'e_parcel'))?.code).toBe('not_covered_destination')
    expect((await reason({ sender: singapore, receiver: singapore }, 'e_parcel'))?.code).toBe('not_covered_origin')
  })

  it('are not returned for an unknown postcode, which is reported with its field', async () => {
    const { status, error } = await askPrices(test, { receiver: { postcode: '99999' } })
    expect([status, error.code, error.errors?.[0]?.field]).toEqual([422, 'postcode_unknown', 'receiver.postcode'])
  })
})

describe('prices abroad', () => {
  const abroad = (country: string, postcode: string, overrides: Partial<Request> = {}) =>
    listQuotes(test, { scope: 'international', receiver: { postcode, country }, ...overrides })
  const codes = async (...args: Parameters<typeof abroad>) =>
    (await abroad(...args)).map(({ code, open, reason }) => [code, open ? 'open' : reason?.code])

  it('come from other carriers, each with its own rate, divisor and rounding, without tax', async () => {
    const box = { weightGrams: 2100, dimensions: { lengthMm: 400, widthMm: 300, heightMm: 250 } }
    const offered = await abroad('cn', '200000', box)
    const [yunda, dhl, paper] = ['yunda.e_parcel', 'dhl.semi_express', 'dhl.document'].map((code) =>
      offered.find((each) => each.code === `${code}.D2D`),
    )
    expect(yunda).toMatchObject({ code: 'yunda.e_parcel.D2D', carrier: 'yunda', open: true })
    expect(yunda?.price).toMatchObject({ divisor: 6000, volumetricGrams: 5000, chargeableGrams: 5000 })
    expect(yunda && getLines(yunda)).toEqual({ freight: 6120, pickup: 200, service_charge: 50, tax: 12 })
    expect(dhl?.price).toMatchObject({ divisor: 5000, chargeableGrams: 6000, originZone: 'MY', destinationZone: 'CN' })
    // RM 94.00 and eleven half kilograms of RM 15.00; 18 % fuel.
    expect(dhl && getLines(dhl)).toEqual({ freight: 25_900, fuel: 4662, pickup: 200, service_charge: 50, tax: 12 })
    expect(paper).toMatchObject({ code: 'dhl.document.D2D', reason: { code: 'too_heavy', limit: 2000 } })
  })

  it('exclude carriers that do not serve the country, and self-collection', async () => {
    expect(await codes('gb', 'SW1A 1AA')).toEqual([
      ['dhl.document.D2D', 'open'],
      ['dhl.semi_express.D2D', 'open'],
      ['dhl.e_parcel.D2D', 'no_rate'],
      ['yunda.e_parcel.D2D', 'no_rate'],
    ])
    expect((await codes('aq', '0000')).map(([, state]) => state)).toEqual(Array(4).fill('not_covered_destination'))
    const collected = await codes('sg', '238801', { deliveryMode: 'D2P' })
    expect(collected.map(([, state]) => state)).toEqual(Array(4).fill('mode_not_offered'))
    const from = { sender: { postcode: '238801', country: 'sg' } }
    expect((await codes('cn', '200000', from)).map(([, state]) => state)).toEqual(Array(4).fill('not_covered_origin'))
  })

  it('exclude cash on delivery and use the limits of other carriers', async () => {
    const cod = await codes('sg', '238801', { codAmountMinor: 5000 })
    expect(cod.map(([, state]) => state)).toEqual(Array(4).fill('no_cod'))
    const heavy = await abroad('sg', '238801', { weightGrams: 40_000 })
    expect(heavy.map(({ code, open, reason }) => [code, open, reason?.limit])).toEqual([
      ['dhl.semi_express.D2D', true, undefined],
      ['dhl.e_parcel.D2D', false, 30_000],
      ['yunda.e_parcel.D2D', false, 30_000],
      ['dhl.document.D2D', false, 2000],
    ])
    // The second band: whole kilograms above thirty.
    expect(heavy[0]?.price?.lines[0]).toMatchObject({ amountMinor: 6800 + 59 * 950 + 10 * 1700 })
  })

  it('can be requested for one carrier, and report a service that none offers', async () => {
    expect(await codes('sg', '238801', { carrier: 'dhl' })).toEqual([
      ['dhl.e_parcel.D2D', 'open'],
      ['dhl.document.D2D', 'open'],
      ['dhl.semi_express.D2D', 'open'],
    ])
    expect(await codes('sg', '238801', { carrier: 'yunda' })).toEqual([
      ['yunda.e_parcel.D2D', 'open'],
      ['yunda.semi_express.D2D', 'scope_not_offered'],
      ['yunda.document.D2D', 'scope_not_offered'],
    ])
    const dhlAtHome = await listQuotes(test, { carrier: 'dhl' })
    expect(dhlAtHome.map(({ reason }) => reason?.code)).toEqual(Array(3).fill('scope_not_offered'))
  })

  it('have delivery dates that skip weekends and holidays of the destination country', async () => {
    const [quote] = await abroad('sg', '238801', { serviceType: 'document' })
    expect([0, 6]).not.toContain(new Date(String(quote?.expectedDate)).getUTCDay())
  })
})

describe('hints for saving', () => {
  it('state what would save how much, which is correct when it is applied', async () => {
    const long = { lengthMm: 410, widthMm: 300, heightMm: 250 }
    const quote = await quoteParcel(test, { weightGrams: 2100, dimensions: long })
    expect(quote.hints.map(({ kind }) => kind)).toEqual(['delivery_mode', 'smaller'])
    const [mode, smaller] = quote.hints
    const without = await quoteParcel(test, { weightGrams: 2100, dimensions: long, deliveryMode: 'P2D' })
    const total = (each: typeof quote) => each.price?.totalMinor ?? 0
    expect(mode).toMatchObject({ deliveryMode: 'P2D', savesMinor: total(quote) - total(without) })
    const cut = await quoteParcel(test, { weightGrams: 2100, dimensions: { ...long, lengthMm: 400 } })
    expect(smaller).toEqual({
      kind: 'smaller',
      side: 'lengthMm',
      lessMm: 10,
      savesMinor: total(quote) - total(cut),
    })
  })

  it('suggest self-collection if the door is remote and a station nearby hands out parcels', async () => {
    const kapit = await quoteParcel(test, { receiver: { postcode: '96800' }, deliveryMode: 'P2D' })
    const collected = await quoteParcel(test, { receiver: { postcode: '96800' }, deliveryMode: 'P2P' })
    const savesMinor = (kapit.price?.totalMinor ?? 0) - (collected.price?.totalMinor ?? 0)
    expect(kapit.hints).toEqual([{ kind: 'delivery_mode', deliveryMode: 'P2P', savesMinor }])
  })

  it('are empty for a closed service', async () => {
    expect((await quoteParcel(test, { weightGrams: 30_001 })).hints).toEqual([])
  })
})

describe('the conditions of an account', () => {
  it('use the common rate card for services that their own card has no rate for', async () => {
    const { token, accountId } = await createCustomer(test, { userType: 'corporate' })
    const { db } = test.deps
    const id = newId()
    const card = { id, code: 'ONLYDOCS', version: 1, name: 'Documents only', currency: 'MYR', valid_from: '2026-01-01' }
    await db.insertInto('rate_cards').values(card).execute()
    const standard = await db
      .selectFrom('rate_lines')
      .selectAll()
      .where('service_type', '=', 'document')
      .where('origin_zone', '=', 'KV')
      .where('destination_zone', '=', 'KV')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('rate_lines')
      .values({ ...standard, id: newId(), rate_card_id: id, first_price_minor: 111 })
      .execute()
    await db.updateTable('accounts').set({ rate_card_code: 'ONLYDOCS' }).where('id', '=', accountId).execute()
    const notification = new Promise<void>((resolve) => test.deps.live.subscribe('rates', () => resolve()))
    await test.deps.live.publish(db, 'rates', {})
    await notification
    const items = await listQuotes(test, {}, token)
    expect(Object.fromEntries(items.map(({ serviceType, price }) => [serviceType, price?.rateCard.code]))).toEqual({
      document: 'ONLYDOCS',
      e_parcel: 'STANDARD',
      semi_express: 'STANDARD',
    })
  })

  it("use the account's own rate card and discount", async () => {
    const { token, accountId } = await createCustomer(test, { userType: 'corporate' })
    expect((await quoteParcel(test, {}, token)).price?.totalMinor).toBe(933)
    const conditions = { rate_card_code: 'BUSINESS', discount_type: 'percentage', discount_value: 1000 }
    await test.deps.db.updateTable('accounts').set(conditions).where('id', '=', accountId).execute()
    const own = await quoteParcel(test, {}, token)
    expect(own.price?.rateCard.code).toBe('BUSINESS')
    expect(getLines(own)).toMatchObject({ freight: 510, discount: -51 })
    expect((await quoteParcel(test)).price?.rateCard.code).toBe('STANDARD')
  })

  it('use the common rate card if their own is not valid today', async () => {
    const { token, accountId } = await createCustomer(test, { userType: 'corporate' })
    const { db } = test.deps
    await db.updateTable('accounts').set({ rate_card_code: 'GONE' }).where('id', '=', accountId).execute()
    expect((await quoteParcel(test, {}, token)).price?.rateCard.code).toBe('STANDARD')
  })
})

describe('insurance and cash on delivery', () => {
  it('are separate lines', async () => {
    const lines = getLines(await quoteParcel(test, { insuredValueMinor: 45_000, codAmountMinor: 12_000 }))
    expect(lines).toMatchObject({ insurance: 250, cod: 300 })
  })

  it('cost the premium of the tier, and are refused above the last tier', async () => {
    const premium = (insuredValueMinor: number) => test.call(priceInsurance, { body: { insuredValueMinor } })
    expect((await premium(20_000)).body).toEqual({ currency: 'MYR', insuredValueMinor: 20_000, premiumMinor: 100 })
    expect((await premium(20_001)).body.premiumMinor).toBe(250)
    expect((await premium(300_001)).error).toMatchObject({
      code: 'validation',
      errors: [{ field: 'insuredValueMinor' }],
    })
    expect((await askPrices(test, { insuredValueMinor: 300_001 })).status).toBe(422)
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

  it('is available where riders work', async () => {
    const abroad = await test.call(pricePickup, { body: { postcode: '238801', country: 'sg' } })
    expect(abroad.body.covered).toBe(false)
  })
})
