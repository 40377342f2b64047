import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { createOrder, getInvoice } from '@waybill/contract/orders/orders'
import { addToCart, changeInsurance, changeService, changeServices } from '@waybill/contract/parcels/cart'
import { createParcel, type Parcel, updateParcel } from '@waybill/contract/parcels/parcels'
import { priceServices, priceSummary } from '@waybill/contract/pricing/pricing'
import { updateService } from '@waybill/contract/pricing/rate-cards'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { orderParcels, payCredits } from '../../testing/factories/orders.ts'
import { parcelBody, testParty, testReceiver } from '../../testing/factories/parcels.ts'
import { createPayer } from '../../testing/factories/wallet.ts'

type Body = BodyIn<typeof createParcel>

/** A parcel to Singapore, which DHL and Yunda both serve; Yunda is much cheaper. */
const abroad: Body = {
  scope: 'international',
  serviceType: 'e_parcel',
  carrier: 'dhl',
  deliveryMode: 'P2D',
  sender: testParty(),
  receiver: testParty({
    contactName: 'Lim Wei',
    phone: '+6591234567',
    line1: '1 Orchard Road',
    postcode: '238801',
    city: 'Singapore',
    state: '',
    country: 'sg',
  }),
  contentType: 'gifts',
  weightGrams: 1200,
  dimensions: { lengthMm: 200, widthMm: 150, heightMm: 100 },
  customs: {
    reason: 'gift',
    incoterm: null,
    invoiceNumber: null,
    items: [
      {
        description: 'Cotton shirt',
        hsCode: '610910',
        quantity: 2,
        unitValueMinor: 5000,
        netWeightGrams: 400,
        originCountry: 'my',
      },
    ],
  } as never,
}

describe('the chosen carrier', () => {
  let test: TestApp
  let owner: TestCustomer
  let prices: Record<string, number>
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    const { sender, receiver, ...rest } = abroad
    const { body } = await test.call(priceServices, {
      token: owner.token,
      body: {
        scope: 'international',
        serviceType: 'e_parcel',
        deliveryMode: 'P2D',
        sender: { postcode: sender?.postcode ?? '' },
        receiver: { postcode: '238801', country: receiver?.country ?? '' },
        weightGrams: rest.weightGrams ?? 0,
        dimensions: rest.dimensions ?? null,
      },
    })
    prices = Object.fromEntries(body.items.map(({ carrier, price }) => [carrier, price?.totalMinor ?? 0]))
    expect(prices.dhl).toBeGreaterThan(prices.yunda ?? Infinity)
  })

  const create = async (overrides: Partial<Body> = {}): Promise<Parcel> => {
    const answer = await test.call(createParcel, {
      token: owner.token,
      body: { ...abroad, addToCart: true, ...overrides },
    })
    expect(answer.status).toBe(200)
    return answer.body
  }
  const dhl = () => ({ carrier: 'dhl', serviceCode: 'dhl.e_parcel.P2D', priceMinor: prices.dhl })
  const yunda = () => ({ carrier: 'yunda', serviceCode: 'yunda.e_parcel.P2D', priceMinor: prices.yunda })

  it('is kept and charged when a parcel is created, put in the cart later, or names no carrier', async () => {
    expect(await create()).toMatchObject(dhl())
    expect(await create({ carrier: null })).toMatchObject(yunda())
    const draft = await create({ addToCart: false })
    const { body } = await test.call(addToCart, { token: owner.token, body: { ids: [draft.id] } })
    expect(body.items[0]).toMatchObject(dhl())
  })

  it('is named by the lines of an invoice, so that they differ from those of our own network', async () => {
    const payer = await createPayer(test)
    const { token } = payer
    const bodies = [parcelBody({ deliveryMode: 'P2D' }), abroad, { ...abroad, carrier: 'yunda' as const }]
    const parcels: Parcel[] = []
    for (const body of bodies)
      parcels.push((await test.call(createParcel, { token, body: { ...body, addToCart: true } })).body)
    const order = await orderParcels(test, payer, parcels)
    expect((await payCredits(test, payer, order)).status).toBe(200)
    const readNames = async (language: string) => {
      const { lines } = (await test.call(getInvoice, { token, params: { id: order.id }, language })).body
      return lines.map(({ description }) => description).filter((name) => /E-parcel|电商包裹/.test(name))
    }
    expect((await readNames('en')).sort()).toEqual([
      'Freight (E-parcel, DHL, Walk In - Delivery)',
      'Freight (E-parcel, Walk In - Delivery)',
      'Freight (E-parcel, Yunda, Walk In - Delivery)',
    ])
    expect(new Set(await readNames('zh')).size).toBe(3)
  })

  it('is refused at the address that it cannot take, and another carrier is chosen if none was', async () => {
    const long = { line1: 'Blok Perdana '.repeat(9).trim(), line2: 'Level 33' }
    const tooLong: [end: 'sender' | 'receiver', parties: Partial<Body>][] = [
      ['sender', { sender: testParty(long) }],
      ['receiver', { receiver: { ...(abroad.receiver as NonNullable<Body['receiver']>), ...long, state: 'Central' } }],
    ]
    for (const [end, parties] of tooLong) {
      const body = { ...abroad, ...parties, addToCart: true }
      const findParcelIds = () => test.deps.db.selectFrom('parcels').select('id').orderBy('id').execute()
      const before = await findParcelIds()
      for (const language of ['en', 'zh'] as const) {
        const { error } = await test.call(createParcel, { token: owner.token, body, language })
        // Nothing is stored, so there is no parcel to name.
        expect(error).toMatchObject({ code: 'service_closed', details: { reason: 'address_too_long' } })
        expect(error.details).not.toHaveProperty('parcelId')
        expect(error.errors).toMatchObject([{ field: `${end}.line2` }])
        expect(error.errors?.[0]?.message).toContain(language === 'en' ? 'too long for this carrier' : '超出此承运商')
      }
      expect(await findParcelIds()).toEqual(before)
      expect(await create({ ...parties, carrier: null })).toMatchObject(yunda())
      const draft = await create({ ...parties, addToCart: false })
      const carted = await test.call(addToCart, { token: owner.token, body: { ids: [draft.id] } })
      expect(carted.error.code).toBe('service_closed')
    }
  })

  it('is kept by an edit, an insurance change, and a service change of one or many parcels', async () => {
    const parcel = await create()
    const edited = await test.call(updateParcel, {
      token: owner.token,
      body: { ...abroad, carrier: 'dhl', reference: 'edited', id: parcel.id, version: parcel.version },
    })
    expect(edited.body).toMatchObject({ ...dhl(), reference: 'edited' })
    const insured = await test.call(changeInsurance, {
      token: owner.token,
      params: { id: parcel.id },
      body: { version: edited.body.version, insuredValueMinor: null },
    })
    expect(insured.body).toMatchObject(dhl())

    const change = (version: number, carrier: 'dhl' | 'yunda') =>
      test.call(changeService, {
        token: owner.token,
        params: { id: parcel.id },
        body: { version, serviceType: 'e_parcel' as const, carrier },
      })
    const cheaper = await change(insured.body.version, 'yunda')
    expect(cheaper.body).toMatchObject(yunda())
    expect((await change(cheaper.body.version, 'dhl')).body).toMatchObject(dhl())
    const other = await create({ carrier: 'yunda' })
    const many = await test.call(changeServices, {
      token: owner.token,
      body: { ids: [parcel.id, other.id], serviceType: 'e_parcel', carrier: 'dhl' },
    })
    expect(many.body.items.map(({ carrier, priceMinor }) => [carrier, priceMinor])).toEqual([
      ['dhl', prices.dhl],
      ['dhl', prices.dhl],
    ])
  })

  it('limits the size with its own divisor; without one, a parcel is saved if any service could carry it', async () => {
    // 33 kg volumetric with the divisor 5000 of DHL, 27.5 kg with the 6000 of Yunda.
    const dimensions = { lengthMm: 660, widthMm: 500, heightMm: 500 }
    const save = (overrides: Partial<Body>) =>
      test.call(createParcel, { token: owner.token, body: { ...abroad, dimensions, carrier: null, ...overrides } })
    const limit = { key: 'weight.maxThirdPartyVolumetricGrams', value: '30000' }
    await test.deps.db.insertInto('settings').values(limit).execute()
    await test.deps.settings.reload()
    onTestFinished(async () => {
      await test.deps.db.deleteFrom('settings').where('key', '=', limit.key).execute()
      await test.deps.settings.reload()
    })
    expect((await save({})).status).toBe(200)
    expect((await save({ carrier: 'yunda' })).status).toBe(200)
    const { status, error } = await save({ carrier: 'dhl' })
    expect([status, error.code, error.errors?.[0]?.field]).toEqual([422, 'weight_over_limit', 'dimensions'])
    expect(error.details).toEqual({ limitGrams: 30_000 })
    // 36 kg and 30.01 kg.
    const tooLarge = await save({ dimensions: { lengthMm: 720, widthMm: 500, heightMm: 501 } })
    expect([tooLarge.error.code, tooLarge.error.errors?.[0]?.field]).toEqual(['weight_over_limit', 'dimensions'])

    const { body } = await test.call(priceServices, {
      token: owner.token,
      body: {
        scope: 'international',
        serviceType: 'e_parcel',
        deliveryMode: 'P2D',
        sender: { postcode: '50480' },
        receiver: { postcode: '238801', country: 'sg' },
        weightGrams: 1200,
        dimensions,
      },
    })
    expect(body.items.map(({ carrier, reason }) => [carrier, reason?.code ?? 'open'])).toEqual([
      ['yunda', 'open'],
      ['dhl', 'too_large'],
    ])
  })

  it('may carry more than our own network, also at home', async () => {
    const admin = await createStaff(test, { role: 'product_manager' })
    const offer = (status: 'open' | 'not_offered', version: number) =>
      test.call(updateService, {
        token: admin.token,
        params: { scope: 'domestic', carrier: 'yunda', serviceType: 'e_parcel' },
        body: { status, version, deliveryModes: ['D2D'], cod: false, maxWeightGrams: 50_000, maxVolumetricGrams: null },
      })
    const save = async (weightGrams: number) => {
      const body = { ...abroad, scope: 'domestic', carrier: null, receiver: testReceiver(), customs: null } as const
      const { status, error } = await test.call(createParcel, { token: owner.token, body: { ...body, weightGrams } })
      return status === 200 ? 'saved' : error.details
    }
    expect(await save(40_000)).toEqual({ limitGrams: 30_000 })
    expect((await offer('open', 1)).status).toBe(200)
    // The server's rates are reloaded by a message of the database.
    await vi.waitFor(async () => expect(await save(40_000)).toBe('saved'))
    expect(await save(50_001)).toEqual({ limitGrams: 50_000 })
    expect((await offer('not_offered', 2)).status).toBe(200)
    await vi.waitFor(async () => expect(await save(40_000)).toEqual({ limitGrams: 30_000 }))
  })

  it('is priced and charged at checkout', async () => {
    const parcel = await create()
    const parcelIds = [parcel.id]
    const summary = await test.call(priceSummary, { token: owner.token, body: { parcelIds } })
    expect(summary.body.totalMinor).toBe(prices.dhl)
    const order = await test.call(createOrder, {
      token: owner.token,
      body: { parcelIds, expectedTotalMinor: prices.dhl ?? 0, pickup: null },
    })
    expect([order.status, order.body.totalMinor]).toEqual([200, prices.dhl])
    expect(order.body.parcels[0]).toMatchObject(dhl())
  })

  it('is refused with its field, and never replaced, if it does not offer the service', async () => {
    const expectRefusal = async (
      answer: Promise<{ status: number; error: { code?: string; errors?: { field: string }[] } }>,
    ) => {
      const { status, error } = await answer
      expect([status, error.errors?.map(({ field }) => field)]).toEqual([422, ['carrier']])
    }
    const wrong = { ...abroad, carrier: 'yunda', serviceType: 'semi_express', addToCart: true } as const
    await expectRefusal(test.call(createParcel, { token: owner.token, body: wrong }))
    const parcel = await create()
    const change = { serviceType: 'semi_express', carrier: 'yunda' } as const
    await expectRefusal(
      test.call(changeService, {
        token: owner.token,
        params: { id: parcel.id },
        body: { version: parcel.version, ...change },
      }),
    )
    await expectRefusal(test.call(changeServices, { token: owner.token, body: { ids: [parcel.id], ...change } }))

    // The service is closed after the choice: the checkout refuses instead of using another carrier.
    const admin = await createStaff(test, { role: 'product_manager' })
    const params = { scope: 'international', carrier: 'dhl', serviceType: 'e_parcel' } as const
    const terms = { deliveryModes: ['D2D', 'P2D'] as const, cod: false, maxWeightGrams: null, maxVolumetricGrams: null }
    const closed = await test.call(updateService, {
      token: admin.token,
      params,
      body: { ...terms, deliveryModes: ['D2D', 'P2D'], status: 'closed', version: 1 },
    })
    expect(closed.status).toBe(200)
    // The server's rates are reloaded by a message of the database.
    await vi.waitFor(() =>
      expectRefusal(test.call(priceSummary, { token: owner.token, body: { parcelIds: [parcel.id] } })),
    )
  })
})
